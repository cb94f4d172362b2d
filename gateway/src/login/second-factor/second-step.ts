import { randomInt } from "node:crypto";
import type { Database } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { generateHash, keyOf } from "../../credential/hash.ts";
import type { GatewayEnv } from "../../env.ts";
import { toCodeLetter } from "../../mail/letter.ts";
import { sendAfterAnswer, toMailRow } from "../../mail/send.ts";
import type { UserRow } from "../../table/user.ts";
import { codeFailuresOf } from "../attempts/code-failures.ts";
import { insertMailedLogin, insertTotpLogin } from "./queries.ts";

/** The hash of a log-in that waits for the code that was mailed to the user, or that its authenticator shows. */
export async function beginSecondStep(db: Database, env: GatewayEnv, user: UserRow, now: number) {
  // Somebody who knows the password must not guess on with one log-in after another.
  if (await codeFailuresOf(env, user.id).isLimitReached()) throw new ApiError(105);
  const hash = generateHash(env);
  const key = keyOf(hash, env);
  const pending = { key, account_id: user.master_id ?? user.id, user_id: user.id, now };
  const factor_type = user.second_factor === "totp" ? "totp" : "email";
  if (factor_type === "totp") await insertTotpLogin(db, { ...pending, code: null });
  else {
    const code = generateCode();
    const letter = toMailRow(env, toMailAddress(user, now), toCodeLetter(user, code));
    await sendAfterAnswer(env, await insertMailedLogin(db, { ...pending, code: keyOfCode(key, code, env) }, letter));
  }
  return { type: "second_factor_required" as const, factor_type, hash } as const;
}

export function generateCode() {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/** The only form in which a code is stored; it is good for one log-in. */
export function keyOfCode(key: string, code: string, env: GatewayEnv) {
  return keyOf(`code:${key}:${code}`, env);
}

export function toMailAddress({ dealer_id, login }: UserRow, now: number) {
  return { dealer_id, to: login, now };
}
