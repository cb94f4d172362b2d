import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";
import { hashPassword } from "../credential/password/hash.ts";
import { Password, requireNewPassword } from "../credential/password/policy.ts";
import { insertDelegatedSession } from "../credential/queries.ts";
import { operation } from "../operation.ts";
import { changePassword, findPasswords, requireUser, selectUsers, USER_ORDERS } from "../user/master/queries.ts";
import { Limits, NewUser } from "../user/master/schema.ts";
import { PAGE_PARAMETERS } from "./page.ts";

/** A user as operators see it. */
export const PanelUser = NewUser.extend({
  id: z.int(),
  dealer_id: z.int(),
  blocked: z.boolean(),
  balance: z.number(),
  bonus: z.number(),
  /** In UTC, because operators have no time zone. */
  creation_date: dateTime(),
  time_zone: z.string(),
  locale: z.string(),
  discount: z.record(z.string(), z.unknown()).nullable(),
  default_tariff_id: z.int().nullable(),
  comment: z.string(),
  limits: Limits,
  trackers_count: z.int(),
});

export const readUser = operation("/panel/user/read", {
  summary: "A user with all values that an operator sets",
  accepts: ["operator"],
  permission: ["users", "read"],
  reads: true,
  input: z.object({ user_id: z.int() }),
  output: z.object({ value: PanelUser }),
  errors: [13, 201],
  async run({ user_id }, { db, env, principal }) {
    const user = await requireUser(db, principal, user_id);
    const { [user.id]: trackers_count = 0 } = await env.FLEET.countTrackers([user.id]);
    return { value: { ...user, trackers_count } };
  },
});

export const listUsers = operation("/panel/user/list", {
  summary: "The dealer's users, filtered by login or name, sorted and in pages",
  accepts: ["operator"],
  permission: ["users", "read"],
  reads: true,
  input: z.object({
    filter: z.string().max(100).nullable().default(null),
    order_by: z.enum(USER_ORDERS).default("id"),
    ascending: z.boolean().default(true),
    hide_inactive: z.boolean().default(false),
    ...PAGE_PARAMETERS,
  }),
  output: z.object({ list: z.array(PanelUser), count: z.int() }),
  errors: [13],
  async run(search, { db, env, principal }) {
    const { users, count } = await selectUsers(db, principal, search);
    const counts = await env.FLEET.countTrackers(users.map(({ id }) => id));
    return { list: users.map((user) => ({ ...user, trackers_count: counts[user.id] ?? 0 })), count };
  },
});

export const changeUserPassword = operation("/panel/user/change_password", {
  summary: "Gives a user a new password; its sessions end",
  accepts: ["operator"],
  permission: ["password", "update"],
  input: z.object({ user_id: z.int(), password: Password }),
  output: z.object({}),
  errors: [13, 201],
  async run({ user_id, password }, { db, env, principal, actor }) {
    await requireNewPassword(env, password, () => findPasswords(db, principal, user_id));
    await changePassword(db, env, principal, user_id, await hashPassword(password, env), actor);
    return {};
  },
});

export const createUserSession = operation("/panel/user/session/create", {
  summary: "Creates a session of the user for its operator",
  accepts: ["operator"],
  permission: ["user_sessions", "create"],
  input: z.object({ user_id: z.int() }),
  output: z.object({ hash: z.string() }),
  errors: [13, 104, 201],
  async run({ user_id }, { db, env, principal, actor }) {
    const { id } = await requireUser(db, principal, user_id);
    const owner = { account_id: id, user_id: id };
    return { hash: await insertDelegatedSession(db, env, owner, principal, { ...actor, account_id: id }) };
  },
});

export const operations = [readUser, listUsers, changeUserPassword, createUserSession];
