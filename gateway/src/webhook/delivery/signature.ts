import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** The keys of a webhook: secrets that are valid now, `whsec_…`, and the private key of Ed25519 in PKCS 8, base64. */
export type SigningKeys = { secrets: string[]; privateKey: string | null };

/** A new secret of 24 random bytes. */
export function generateSecret(): string {
  return SECRET_PREFIX + randomBytes(24).toString("base64");
}

/** A new pair of Ed25519 keys: the private one in PKCS 8, base64; the public one as receivers get it. */
export function generateKeyPair(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const point = publicKey.export({ format: "jwk" }).x ?? "";
  return {
    privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    publicKey: `whpk_${Buffer.from(point, "base64url").toString("base64")}`,
  };
}

/** Makes the headers of Standard Webhooks 1.0 for a body. `seconds`: the time of this attempt. */
export type Signer = (id: string, seconds: number, body: string) => Record<string, string>;

/** A signer with these keys, which are decoded once. */
export function signerWith({ secrets, privateKey }: SigningKeys): Signer {
  const secretKeys = secrets.map((secret) => Buffer.from(secret.slice(SECRET_PREFIX.length), "base64"));
  const ed25519Key =
    privateKey === null
      ? null
      : createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" });
  return (id, seconds, body) => {
    const signed = `${id}.${seconds}.${body}`;
    const signatures = secretKeys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
    if (ed25519Key) signatures.push(`v1a,${sign(null, Buffer.from(signed), ed25519Key).toString("base64")}`);
    return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signatures.join(" ") };
  };
}

const SECRET_PREFIX = "whsec_";
