import { CompactEncrypt, compactDecrypt } from "jose";
import { keyNamed, keysOf } from "./key-list.ts";

/** A JWE encrypted with the first key, whose id it carries. */
export async function seal(text: string, keys: string): Promise<string> {
  const [{ id, bytes }] = keysOf(keys);
  return new CompactEncrypt(Buffer.from(text)).setProtectedHeader({ ...METHOD, kid: id }).encrypt(bytes);
}

/** Throws when the text was sealed with an unknown key or was modified. */
export async function unseal(sealed: string, keys: string): Promise<string> {
  const { plaintext } = await compactDecrypt(sealed, ({ kid }) => keyNamed(keys, kid), {
    keyManagementAlgorithms: [METHOD.alg],
    contentEncryptionAlgorithms: [METHOD.enc],
  });
  return Buffer.from(plaintext).toString();
}

/** Encrypts a text with a key of its own, 32 bytes. Unlike lists of settings, such keys are not remembered. */
export async function sealWithKey(text: string, key: Uint8Array): Promise<string> {
  return new CompactEncrypt(Buffer.from(text)).setProtectedHeader(METHOD).encrypt(key);
}

/** Throws when the text was sealed with another key or was modified. */
export async function unsealWithKey(sealed: string, key: Uint8Array): Promise<string> {
  const { plaintext } = await compactDecrypt(sealed, key, {
    keyManagementAlgorithms: [METHOD.alg],
    contentEncryptionAlgorithms: [METHOD.enc],
  });
  return Buffer.from(plaintext).toString();
}

const METHOD = { alg: "dir", enc: "A256GCM" };
