import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { refreshGuards } from "../../credential/guard/refresh.ts";
import { operation } from "../../operation.ts";
import { removeUser } from "./queries.ts";

export const corruptUser = operation("/panel/user/corrupt", {
  summary: "Removes a user for good, with its sub-users, trackers and vehicles; its devices may be registered again",
  accepts: ["operator"],
  permission: ["users", "corrupt"],
  input: z.object({ user_id: z.int(), login: z.string().max(255), corrupt_clones: z.boolean().default(true) }),
  output: z.object({}),
  errors: [13, 201, 252, 253],
  async run({ user_id, login, corrupt_clones }, { db, env, principal }) {
    if (!corrupt_clones) {
      const list = await env.FLEET.clonesOf(principal, user_id);
      if (list.length > 0) throw new ApiError(253, { list });
    }
    // Users first, so that nobody can add to the account any more. If the rest fails, the call can be repeated.
    const { keys, webhook_ids, isNew } = await removeUser(db, principal, user_id, login);
    await refreshGuards(env, keys);
    // A sender that cannot be reached finds out before its next deliveries.
    await Promise.allSettled(webhook_ids.map((id) => env.WEBHOOK_SENDERS.getByName(String(id)).erase()));
    const hadMore = await env.FLEET.removeAccount(user_id);
    if (!isNew && !hadMore) throw new ApiError(252);
    return {};
  },
});

export const operations = [corruptUser];
