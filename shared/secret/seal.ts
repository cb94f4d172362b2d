/** Encrypts with AES-GCM: the nonce stands before the text, all in base64url. */
export async function seal(text: string, keyHex: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: nonce },
    await importKey(keyHex),
    Buffer.from(text),
  );
  return Buffer.concat([nonce, Buffer.from(sealed)]).toString("base64url");
}

/** Throws where the text was sealed with another key or changed since. */
export async function unseal(sealed: string, keyHex: string): Promise<string> {
  const bytes = Buffer.from(sealed, "base64url");
  const algorithm = { name: "AES-GCM", iv: bytes.subarray(0, NONCE_BYTES) };
  const text = await crypto.subtle.decrypt(algorithm, await importKey(keyHex), bytes.subarray(NONCE_BYTES));
  return Buffer.from(text).toString();
}

function importKey(keyHex: string) {
  return crypto.subtle.importKey("raw", Buffer.from(keyHex, "hex"), "AES-GCM", false, ["encrypt", "decrypt"]);
}

const NONCE_BYTES = 12;
