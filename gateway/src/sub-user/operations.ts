import * as z from "zod";
import { refreshGuards } from "../credential/guard/refresh.ts";
import { hashPassword } from "../credential/password/hash.ts";
import { Password, requirePolicy } from "../credential/password/policy.ts";
import { operation } from "../operation.ts";
import { requireMultilevel } from "./account/access.ts";
import { changeSubUser, insertSubUser, insertSubUserSession, removeSubUser, selectSubUsers } from "./queries.ts";
import { NewSubUser, SubUser, SubUserChanges, toSubUser } from "./schema.ts";

const FEATURE = "multilevel_access on all trackers";

export const registerSubUser = operation("/subuser/register", {
  summary: "Creates a sub-user, which sees no tracker until one is bound to it",
  right: "admin",
  feature: FEATURE,
  input: z.object({ user: NewSubUser, password: Password }),
  output: z.object({ id: z.int() }),
  errors: [13, 201, 206, 236, 268],
  async run({ user, password }, { db, env, principal, actor }) {
    requirePolicy(env, password);
    await requireMultilevel(env, principal);
    const { id, keys } = await insertSubUser(db, principal, user, await hashPassword(password, env), actor);
    await refreshGuards(env, keys);
    return { id };
  },
});

export const updateSubUser = operation("/subuser/update", {
  summary: "Changes a sub-user; members left out stay. Ending its activation logs it out at once",
  right: "admin",
  feature: FEATURE,
  input: z.object({ user: SubUserChanges }),
  output: z.object({}),
  errors: [13, 201, 206, 236],
  async run({ user }, { db, env, principal, actor }) {
    await requireMultilevel(env, principal);
    await refreshGuards(env, await changeSubUser(db, principal, user, actor));
    return {};
  },
});

export const listSubUsers = operation("/subuser/list", {
  summary: "Lists the account's sub-users",
  right: "admin",
  feature: FEATURE,
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(SubUser) }),
  errors: [13, 236],
  async run(_input, { db, env, principal }) {
    await requireMultilevel(env, principal);
    return { list: (await selectSubUsers(db, principal)).map(toSubUser) };
  },
});

export const deleteSubUser = operation("/subuser/delete", {
  summary: "Deletes a sub-user for good and logs it out at once",
  right: "admin",
  feature: FEATURE,
  input: z.object({ subuser_id: z.int() }),
  output: z.object({}),
  errors: [13, 201, 236],
  async run({ subuser_id }, { db, env, principal, actor }) {
    await requireMultilevel(env, principal);
    const { keys, webhook_ids } = await removeSubUser(db, principal, subuser_id, actor);
    await refreshGuards(env, keys);
    // A sender that cannot be reached finds out before its next deliveries.
    await Promise.allSettled(webhook_ids.map((id) => env.WEBHOOK_SENDERS.getByName(String(id)).erase()));
    return {};
  },
});

export const createSubUserSession = operation("/subuser/session/create", {
  summary: "Creates a session of the sub-user without its password",
  right: "admin",
  feature: FEATURE,
  input: z.object({ subuser_id: z.int() }),
  output: z.object({ hash: z.string() }),
  errors: [11, 13, 103, 104, 201, 236, 275],
  async run({ subuser_id }, { db, env, principal, actor }) {
    await requireMultilevel(env, principal);
    return { hash: await insertSubUserSession(db, env, principal, subuser_id, actor) };
  },
});

export const operations = [registerSubUser, updateSubUser, listSubUsers, deleteSubUser, createSubUserSession];
