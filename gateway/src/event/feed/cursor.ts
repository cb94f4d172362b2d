import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import { type HashEnv, hashWithKey } from "#shared/secret/keyed-hash.ts";

/** A position in the account's events that only this installation can write. */
export function writeCursor(account_id: number, sequence: number, env: HashEnv): string {
  const position = `${account_id}.${sequence}`;
  return `${Buffer.from(position).toString("base64url")}.${sign(position, env)}`;
}

/** The sequence of a cursor of this account; undefined for any other text. */
export function readCursor(cursor: string, account_id: number, env: HashEnv): number | undefined {
  const [encoded = "", signature = ""] = cursor.split(".");
  const position = Buffer.from(encoded, "base64url").toString();
  if (!isSame(signature, sign(position, env))) return undefined;
  const [account, sequence] = position.split(".").map(Number);
  return account === account_id ? sequence : undefined;
}

function sign(position: string, env: HashEnv) {
  return hashWithKey("event cursor", position, env);
}

function isSame(one: string, other: string) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
