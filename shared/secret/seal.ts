import { CompactEncrypt, compactDecrypt } from "jose";
import { keyNamed, keysOf } from "./key-list.ts";

/** A JWE, encrypted with the first of the keys, whose name it carries. */
export async function seal(text: string, keys: string): Promise<string> {
  const [{ id, bytes }] = keysOf(keys);
  return new CompactEncrypt(Buffer.from(text)).setProtectedHeader({ ...METHOD, kid: id }).encrypt(bytes);
}

/** Throws where the text was sealed with a key that is not among them, or changed since. */
export async function unseal(sealed: string, keys: string): Promise<string> {
  const { plaintext } = await compactDecrypt(sealed, ({ kid }) => keyNamed(keys, kid), {
    keyManagementAlgorithms: [METHOD.alg],
    contentEncryptionAlgorithms: [METHOD.enc],
  });
  return Buffer.from(plaintext).toString();
}

const METHOD = { alg: "dir", enc: "A256GCM" };
