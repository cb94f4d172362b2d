import { createHash } from "node:crypto";

/** A key with the id that is stored beside everything made with it. */
export type NamedKey = { id: string; bytes: Uint8Array };

/**
 * Parses a setting of comma-separated keys (32 bytes each, hexadecimal). The first makes new values; all verify and
 * open, so that changing the key ends nothing.
 */
export function keysOf(setting: string): [current: NamedKey, ...earlier: NamedKey[]] {
  const known = lists.get(setting);
  if (known) return known;
  const [current = "", ...earlier] = setting.split(",");
  const keys: [NamedKey, ...NamedKey[]] = [namedKey(current), ...earlier.map(namedKey)];
  lists.set(setting, keys);
  return keys;
}

/** Throws when the setting has no key of this id (any more). */
export function keyNamed(setting: string, id: string | undefined): Uint8Array {
  const found = keysOf(setting).find((key) => key.id === id);
  if (!found) throw new Error("The key is not among those of the setting.");
  return found.bytes;
}

function namedKey(digits: string): NamedKey {
  if (!KEY_FORM.test(digits)) throw new Error("A key has 64 hexadecimal digits.");
  const bytes = Buffer.from(digits, "hex");
  return { id: createHash("sha256").update(bytes).digest("hex").slice(0, ID_LENGTH), bytes };
}

const KEY_FORM = /^[0-9a-f]{64}$/i;
const ID_LENGTH = 8;
/** By setting; a Worker has one or two. */
const lists = new Map<string, [NamedKey, ...NamedKey[]]>();
