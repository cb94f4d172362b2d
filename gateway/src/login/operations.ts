import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { ANYONE } from "#shared/operation/serve.ts";
import { guardOf } from "../credential/guard/guard-stub.ts";
import { refreshGuards } from "../credential/guard/refresh.ts";
import { countLogIn, withinCheckLimit } from "../credential/password/check-limit.ts";
import { isRightPassword } from "../credential/password/hash.ts";
import { insertSession, logOut, renewCredential, requireMayLogIn, selectUserByLogin } from "../credential/queries.ts";
import { Credentials } from "../credential/schema.ts";
import { operation } from "../operation.ts";
import { createLoginDefence } from "./attempts/defence.ts";
import { beginSecondStep } from "./second-factor/second-step.ts";

export const authUser = operation("/user/auth", {
  summary: "Logs a user in; answers the hash of a session that lives 30 days, or of a second step if the user has one",
  accepts: ANYONE,
  takesGet: true,
  input: Credentials,
  output: z.object({
    hash: z.string(),
    /** Only if a second step follows: the hash is then good for `/user/auth/code` alone. */
    type: z.enum(["second_factor_required"]).optional(),
    factor_type: z.enum(["email", "totp"]).optional(),
  }),
  errors: [11, 102, 103, 104, 105, 275],
  async run({ login, password, dealer_id }, { db, env, clock, request, actor }) {
    await countLogIn(env, request.address);
    return withinCheckLimit(env, request.address, async () => {
      const defence = createLoginDefence(env, login, request.address);
      const loaded = await defence.check(async () => {
        const found = await selectUserByLogin(db, login, dealer_id, clock.now());
        // Before the password is hashed, which is the expensive part of a log-in.
        if (found && found.sessions >= Number(env.SESSIONS_PER_USER)) throw new ApiError(104);
        return (await isRightPassword(password, found?.user.password, env)) ? found : undefined;
      });
      requireMayLogIn(loaded);
      const { user } = loaded;
      if (user.second_factor !== "none") return beginSecondStep(db, env, user, clock.now());
      const owner = { account_id: user.master_id ?? user.id, user_id: user.id };
      const hash = await insertSession(db, env, user, { ...actor, ...owner });
      return { hash };
    });
  },
});

export const logout = operation("/user/logout", {
  summary: "Ends the session, also one that an operator or a master created",
  accepts: ["session", "delegated"],
  input: z.object({}),
  output: z.object({}),
  errors: [4],
  async run(_input, { db, env, principal, actor }) {
    // Refreshed even when the database did not answer: it may have deleted the session all the same.
    const ended = await logOut(db, principal, actor).finally(() => guardOf(env, principal.key).refresh());
    await refreshGuards(env, ended);
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
    await guardOf(env, principal.key).refresh();
    return {};
  },
});

export const operations = [authUser, logout, renewSession];
