import { createHash } from "node:crypto";
import type { Principal } from "../../caller/principal.ts";

/** The form of an idempotency key: 8 to 64 visible ASCII characters. */
export const IDEMPOTENCY_KEY = /^[!-~]{8,64}$/;
export const IDEMPOTENCY_KEY_ERROR = "must have 8 to 64 visible characters";

/** A call that takes effect once, however often it is sent. */
export type KeyedCall = {
  /** Names the call in the table of idempotency keys. */
  id: string;
  /** Equal for calls with equal parameters. */
  fingerprint: string;
  /** Encrypts the stored answer, 32 bytes. It follows from the caller's key, which is stored nowhere. */
  secret: Uint8Array;
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
  const identity = [key, path, idempotency_key].join("\n");
  return {
    id: digest(`id\n${identity}`).toString("base64url"),
    fingerprint: digest(JSON.stringify([typed, textual], sortMembers)).toString("base64url"),
    secret: digest(`answer\n${identity}`),
  };
}

/** Objects with equal members become equal texts; the bytes of a file become their digest. */
function sortMembers(_name: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return digest(value).toString("base64url");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function digest(content: string | Uint8Array) {
  return createHash("sha256").update(content).digest();
}
