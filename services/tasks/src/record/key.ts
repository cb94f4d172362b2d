import { createECDH } from "node:crypto";
import { CompactSign, calculateJwkThumbprint, compactVerify, importJWK, type JWK } from "jose";

/** A P-256 key pair. `id` is the `kid` of its signatures. */
type SigningKey = { id: string; privateKey: JWK; publicKey: JWK };

/** Signs the text with the first key of the setting; answers a compact JWS that contains the text. */
export async function sign(text: string, setting: string): Promise<string> {
  const [current] = await keysOf(setting);
  if (!current) throw new Error("RECORD_KEY is not set.");
  const key = await importJWK(current.privateKey, ALGORITHM);
  return new CompactSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: ALGORITHM, kid: current.id })
    .sign(key);
}

/** The text in the JWS and the key that signed it; undefined when no key of the setting did. */
export async function verify(jws: string, setting: string): Promise<{ text: string; key: JWK } | undefined> {
  const keys = await keysOf(setting);
  try {
    let used: JWK | undefined;
    const { payload } = await compactVerify(jws, ({ kid }) => {
      used = keys.find(({ id }) => id === kid)?.publicKey;
      if (!used) throw new Error("The key is not among those of the setting.");
      return importJWK(used, ALGORITHM);
    });
    return used && { text: new TextDecoder().decode(payload), key: used };
  } catch {
    return undefined;
  }
}

function keysOf(setting: string): Promise<SigningKey[]> {
  const known = keysBySetting.get(setting) ?? Promise.all(setting.split(",").map(signingKey));
  keysBySetting.set(setting, known);
  return known;
}

async function signingKey(d: string): Promise<SigningKey> {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(d, "base64url");
  // An uncompressed point: 4, x, y.
  const point = Buffer.from(pair.getPublicKey());
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const publicKey = { kty: "EC", crv: "P-256", x, y };
  const id = await calculateJwkThumbprint(publicKey);
  return { id, privateKey: { ...publicKey, d }, publicKey: { ...publicKey, kid: id } };
}

const ALGORITHM = "ES256";
/** Parsed keys by the text of the setting. A Worker has one setting. */
const keysBySetting = new Map<string, Promise<SigningKey[]>>();
