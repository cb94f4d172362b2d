import { randomInt } from "node:crypto";
import type { Database } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { keyOf, newHash } from "../../credential/hash.ts";
import type { GatewayEnv } from "../../env.ts";
import { codeLetter } from "../../mail/letter.ts";
import { mailRow, sendSoon } from "../../mail/send.ts";
import type { UserRow } from "../../table/user.ts";
import { failuresOf } from "../attempts/code-failures.ts";
import { insertMailed, insertTimed } from "./queries.ts";

/** The hash of a log-in that waits for the code that was mailed to the user, or that its authenticator shows. */
export async function beginSecondStep(db: Database, env: GatewayEnv, user: UserRow, now: number) {
  // Somebody who knows the password must not guess on with one log-in after another.
  if (await failuresOf(env, user.id).isFull()) throw new ApiError(105);
  const hash = newHash(env);
  const key = keyOf(hash, env);
  const pending = { key, account_id: user.master_id ?? user.id, user_id: user.id, now };
  const factor_type = user.second_factor === "totp" ? "totp" : "email";
  if (factor_type === "totp") await insertTimed(db, { ...pending, code: null });
  else {
    const code = newCode();
    const letter = mailRow(env, addressOf(user, now), codeLetter(user, code));
    await sendSoon(env, await insertMailed(db, { ...pending, code: keyOfCode(key, code, env) }, letter));
  }
  return { type: "second_factor_required" as const, factor_type, hash } as const;
}

export function newCode() {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/** The only form in which a code is stored; it is good for one log-in. */
export function keyOfCode(key: string, code: string, env: GatewayEnv) {
  return keyOf(`code:${key}:${code}`, env);
}

export function addressOf({ dealer_id, login }: UserRow, now: number) {
  return { dealer_id, to: login, now };
}
