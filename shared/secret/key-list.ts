import { createHash } from "node:crypto";

/** A key and the name under which what was made with it tells so. */
export type NamedKey = { id: string; bytes: Uint8Array };

/**
 * The keys of a setting, 32 bytes each in hexadecimal digits and a comma between them. The first is in use; the others
 * are for what was made while they were, so that a key is changed without ending anything.
 */
export function keysOf(setting: string): [current: NamedKey, ...earlier: NamedKey[]] {
  const known = lists.get(setting);
  if (known) return known;
  const [current = "", ...earlier] = setting.split(",");
  const keys: [NamedKey, ...NamedKey[]] = [namedKey(current), ...earlier.map(namedKey)];
  lists.set(setting, keys);
  return keys;
}

/** Throws where the setting has no key of this name (any more). */
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
/** A Worker has one or two. */
const lists = new Map<string, [NamedKey, ...NamedKey[]]>();
