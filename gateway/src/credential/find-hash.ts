import { Buffer } from "node:buffer";

/**
 * The first hash in the bytes of a JSON or form body, found without parsing it; undefined without one. It may be a member
 * of an inner object, so the gateway compares it with the hash of the parsed body.
 */
export function findHash(bytes: Uint8Array): string | undefined {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { name, value } of FORMS) {
    for (let at = content.indexOf(name); at >= 0; at = content.indexOf(name, at + name.length)) {
      const text = content.toString("latin1", at, at + MAX_CHARS);
      const hash = value.exec(text)?.[1];
      const isName = name.startsWith('"') || at === 0 || content[at - 1] === AMPERSAND;
      if (hash !== undefined && isName) return hash;
    }
  }
  return undefined;
}

/** A member of JSON, and a field of a form. */
const FORMS = [
  { name: '"hash"', value: /^"hash"\s*:\s*"([^"\\]*)"/ },
  { name: "hash=", value: /^hash=([^&%+]*)(?:&|$)/ },
];
const MAX_CHARS = 128;
const AMPERSAND = 0x26;
