import { z } from "zod";
import { ApiError } from "#shared/api-error.ts";
import { ANYONE } from "#shared/serve.ts";
import { operation } from "../operation.ts";
import { passwordFits } from "../password/hash.ts";
import { loginDefence } from "./login-defence.ts";
import { deleteCredential, insertSession, renewCredential, selectLogin } from "./queries.ts";
import { Credentials } from "./schema.ts";

export const authenticate = operation("/user/auth", {
  summary: "Logs a user in: the hash of a session that lives 30 days",
  accepts: ANYONE,
  input: Credentials,
  output: z.object({ hash: z.string() }),
  errors: [11, 102, 103, 104, 105, 275],
  async run({ login, password, dealer_id }, { db, env, clock, asked }) {
    const defence = loginDefence(env, login, asked.address);
    await defence.admit();
    const found = await selectLogin(db, login);
    const fits = await passwordFits(password, found?.user.password);
    if (!found || !fits || (dealer_id !== undefined && dealer_id !== found.user.dealer_id)) return defence.refuse();
    // The count may have filled up while the password was being checked.
    await defence.admit();
    const { user, dealer } = found;
    if (dealer.block_type !== "NOT_BLOCKED") throw new ApiError(11);
    if (!user.activated) throw new ApiError(103);
    if (user.blocked) throw new ApiError(275);
    const owner = { account_id: user.master_id ?? user.id, user_id: user.id };
    return { hash: await insertSession(db, env, owner, "session", clock.now()) };
  },
});

export const logout = operation("/user/logout", {
  summary: "Ends the session",
  accepts: ["session"],
  input: z.object({}),
  output: z.object({}),
  errors: [4],
  async run(_input, { db, env, principal }) {
    await deleteCredential(db, principal);
    await env.GUARDS.getByName(principal.key).refresh();
    return {};
  },
});

export const renewSession = operation("/user/session/renew", {
  summary: "Prolongs the session to 30 days from now",
  accepts: ["session"],
  input: z.object({}),
  output: z.object({}),
  errors: [4],
  async run(_input, { db, env, principal, clock }) {
    await renewCredential(db, principal, clock.now());
    await env.GUARDS.getByName(principal.key).refresh();
    return {};
  },
});
