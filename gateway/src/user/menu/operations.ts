import * as z from "zod";
import { operation } from "../../operation.ts";
import { createDefaultMenu } from "./default.ts";
import { findDefaultMenu, findMenu, putDefaultMenu, putMenu } from "./queries.ts";
import { Application, Menu } from "./schema.ts";

export const readMenu = operation("/panel/user/menu/read", {
  summary: "The menu that a user and its sub-users see in an application",
  accepts: ["operator"],
  permission: ["users", "read"],
  reads: true,
  input: z.object({ user_id: z.int(), application: Application }),
  output: z.object({ value: Menu }),
  errors: [13, 201],
  async run({ user_id, application }, { db, principal }) {
    return { value: (await findMenu(db, principal, user_id, application)) ?? createDefaultMenu(application) };
  },
});

export const updateMenu = operation("/panel/user/menu/update", {
  summary: "Replaces the menu of a user and its sub-users in an application",
  accepts: ["operator"],
  permission: ["users", "update"],
  input: z.object({ user_id: z.int(), value: Menu }),
  output: z.object({}),
  errors: [13, 201],
  async run({ user_id, value }, { db, principal, actor }) {
    await putMenu(db, principal, user_id, value, actor);
    return {};
  },
});

export const readDefaultMenu = operation("/panel/user/menu/default/read", {
  summary: "The menu of an application for users of the dealer that have no menu of their own",
  accepts: ["operator"],
  permission: ["users", "read"],
  reads: true,
  input: z.object({ application: Application }),
  output: z.object({ value: Menu }),
  errors: [13],
  async run({ application }, { db, principal }) {
    return { value: (await findDefaultMenu(db, principal, application)) ?? createDefaultMenu(application) };
  },
});

export const updateDefaultMenu = operation("/panel/user/menu/default/update", {
  summary: "Replaces the menu of an application for users of the dealer that have no menu of their own",
  accepts: ["operator"],
  permission: ["users", "update"],
  input: z.object({ value: Menu }),
  output: z.object({}),
  errors: [13],
  async run({ value }, { db, principal }) {
    await putDefaultMenu(db, principal, value);
    return {};
  },
});

export const operations = [readMenu, updateMenu, readDefaultMenu, updateDefaultMenu];
