import { randomInt } from "node:crypto";
import { z } from "zod";
import { ApiError } from "#shared/api-error.ts";
import type { Database } from "#shared/database.ts";
import type { GatewayEnv } from "../env.ts";
import { refreshGuards } from "../guard/refresh.ts";
import { codeLetter } from "../mail/letter.ts";
import { mailRow, sendSoon } from "../mail/send.ts";
import { operation } from "../operation.ts";
import { keyOf, newHash } from "../session/hash.ts";
import { failureCount } from "../session/login-defence.ts";
import { deleteCredential, requireMayLogIn } from "../session/queries.ts";
import type { UserRow } from "../user/table.ts";
import { claimCode, insertMail, insertPending, replacePending, takeTry } from "./queries.ts";

/** The hash of a log-in that waits for the code mailed to the user. */
export async function beginSecondStep(db: Database, env: GatewayEnv, user: UserRow, now: number) {
  // Somebody who knows the password must not guess on with one log-in after another.
  if (await failuresOf(env, user.id).isFull()) throw new ApiError(105);
  const hash = newHash(env);
  const key = keyOf(hash, env);
  const code = newCode();
  const pending = {
    key,
    account_id: user.master_id ?? user.id,
    user_id: user.id,
    code: keyOfCode(key, code, env),
    now,
  };
  const queued = await insertPending(db, pending, mailRow(env, addressOf(user, now), codeLetter(user, code)));
  await sendSoon(env, queued);
  return { type: "second_factor_required" as const, factor_type: "email" as const, hash };
}

export const verifyCode = operation("/user/auth/code/verify", {
  summary: "Completes a log-in by the mailed code; after ten wrong ones it begins anew",
  accepts: ["second_factor"],
  input: z.object({ code: z.string().max(32) }),
  output: z.object({ hash: z.string() }),
  errors: [4, 11, 104, 105, 275, 282],
  async run({ code }, { db, env, principal, actor }) {
    const failures = failuresOf(env, principal.user_id);
    if (await failures.isFull()) throw new ApiError(105);
    const tried = await takeTry(db, principal);
    if (tried.code !== keyOfCode(principal.key, code.trim(), env)) {
      await failures.fail();
      if (tried.isLast) {
        await deleteCredential(db, principal);
        await refreshGuards(env, [principal.key]);
      }
      throw new ApiError(282);
    }
    requireMayLogIn(tried);
    const hash = await replacePending(db, env, principal, actor);
    await refreshGuards(env, [principal.key]);
    return { hash };
  },
});

export const resendCode = operation("/user/auth/code/resend", {
  summary: "Mails a new code, at most once in five minutes; the one before ends",
  accepts: ["second_factor"],
  input: z.object({}),
  output: z.object({}),
  errors: [4, 264],
  async run(_input, { db, env, principal, clock }) {
    const now = clock.now();
    const code = newCode();
    const user = await claimCode(db, principal, keyOfCode(principal.key, code, env), now);
    await sendSoon(env, await insertMail(db, mailRow(env, addressOf(user, now), codeLetter(user, code))));
    return {};
  },
});

function newCode() {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/** The only form in which a code is stored; it is good for one log-in. */
function keyOfCode(key: string, code: string, env: GatewayEnv) {
  return keyOf(`code:${key}:${code}`, env);
}

function failuresOf(env: GatewayEnv, user_id: number) {
  return failureCount(env, `code:${user_id}`, FAILURES_PER_USER);
}

function addressOf({ dealer_id, login }: UserRow, now: number) {
  return { dealer_id, to: login, now };
}

/** Within a quarter of an hour: a chance of one in thirty thousand to guess right. */
const FAILURES_PER_USER = 30;
