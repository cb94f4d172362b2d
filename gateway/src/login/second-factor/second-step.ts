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

/** Starts the second step of a log-in: mails a code, or expects one of the authenticator. Answers the hash to verify with. */
export async function beginSecondStep(db: Database, env: GatewayEnv, user: UserRow, now: number) {
  // A person who knows the password must not guess more codes by logging in again.
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

/** The keyed hash of a code, the only form in which it is stored. It depends on the log-in's key. */
export function keyOfCode(key: string, code: string, env: GatewayEnv) {
  return keyOf(`code:${key}:${code}`, env);
}

export function toMailAddress({ dealer_id, login }: UserRow, now: number) {
  return { dealer_id, to: login, now };
}
