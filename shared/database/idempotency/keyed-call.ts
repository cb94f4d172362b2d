import { createHash } from "node:crypto";
import type { Principal } from "../../caller/principal.ts";

/** A call that takes effect once, however often it is sent. */
export type KeyedCall = {
  /** Names the call in the table of idempotency keys. */
  id: string;
  /** Equal for calls with equal parameters. */
  fingerprint: string;
  /** Encrypts the stored answer, 32 bytes in hexadecimal digits. It follows from the caller's key, which is stored nowhere. */
  secret: string;
};

type KeyedRequest = {
  path: string;
  typed: Record<string, unknown>;
  textual: Record<string, unknown>;
  idempotency_key?: string;
};

/** Undefined for a call without a key, or without a credential: keys are kept apart by credential. */
export function keyedCallOf(
  { path, typed, textual, idempotency_key }: KeyedRequest,
  { key }: Pick<Principal, "key">,
): KeyedCall | undefined {
  if (idempotency_key === undefined || key === "") return undefined;
  const named = [key, path, idempotency_key].join("\n");
  return {
    id: digest(`id\n${named}`, "base64url"),
    fingerprint: digest(JSON.stringify([typed, textual], sortMembers), "base64url"),
    secret: digest(`answer\n${named}`, "hex"),
  };
}

/** Objects with equal members become equal texts; the bytes of a file become their digest. */
function sortMembers(_name: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return createHash("sha256").update(value).digest("base64url");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function digest(text: string, encoding: "base64url" | "hex") {
  return createHash("sha256").update(text).digest(encoding);
}
