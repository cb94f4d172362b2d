import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

export type Secrets = Record<
  "CREDENTIAL_KEY" | "TOKEN_KEY" | "ENCRYPTION_KEY" | "VAPID_PRIVATE_KEY" | "RECORD_KEY",
  string
>;

/** Made once and kept, since stored credentials and files are useless without them; the environment overrides. */
export async function localSecrets(dataDir: string, environment = process.env): Promise<Secrets> {
  const file = join(dataDir, "secrets.json");
  const kept: Partial<Secrets> | undefined = await readFile(file, "utf8").then(JSON.parse, () => undefined);
  // A key that came later than the file is made beside the others.
  const made = newSecrets();
  const secrets = { ...made, ...kept };
  if (Object.keys(made).some((name) => !kept || !(name in kept))) {
    await writeFile(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
  const used = {
    CREDENTIAL_KEY: environment.CREDENTIAL_KEY || secrets.CREDENTIAL_KEY,
    TOKEN_KEY: environment.TOKEN_KEY || secrets.TOKEN_KEY,
    ENCRYPTION_KEY: environment.ENCRYPTION_KEY || secrets.ENCRYPTION_KEY,
    VAPID_PRIVATE_KEY: environment.VAPID_PRIVATE_KEY || secrets.VAPID_PRIVATE_KEY,
    RECORD_KEY: environment.RECORD_KEY || secrets.RECORD_KEY,
  };
  requireKeys(used);
  return used;
}

/** Throws for a missing, malformed or guessable key; the message names the key, not its value. */
export function requireKeys(secrets: Secrets) {
  const lists = [secrets.TOKEN_KEY, secrets.ENCRYPTION_KEY].every((list) => list.split(",").every(isHexKey));
  if (!isHexKey(secrets.CREDENTIAL_KEY)) throw new Error("CREDENTIAL_KEY must be 32 bytes in hexadecimal digits.");
  if (!lists) throw new Error("TOKEN_KEY and ENCRYPTION_KEY must be lists of 32 bytes in hexadecimal digits.");
  if (!isPrivateKey(secrets.VAPID_PRIVATE_KEY)) throw new Error("VAPID_PRIVATE_KEY must be 32 bytes in base64url.");
  if (!secrets.RECORD_KEY.split(",").every(isPrivateKey))
    throw new Error("RECORD_KEY must be a list of 32 bytes in base64url.");
}

function isHexKey(text: string) {
  return /^[0-9a-f]{64,}$/i.test(text);
}

function isPrivateKey(text: string) {
  return Buffer.from(text, "base64url").byteLength === 32;
}

export function newSecrets(): Secrets {
  return {
    CREDENTIAL_KEY: randomBytes(32).toString("hex"),
    TOKEN_KEY: randomBytes(32).toString("hex"),
    ENCRYPTION_KEY: randomBytes(32).toString("hex"),
    VAPID_PRIVATE_KEY: newPrivateKey(),
    RECORD_KEY: newPrivateKey(),
  };
}

function newPrivateKey() {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return String(privateKey.export({ format: "jwk" }).d);
}
