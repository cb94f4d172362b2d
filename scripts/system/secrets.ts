import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The keys of an installation. TOKEN_KEY, ENCRYPTION_KEY and RECORD_KEY are lists: see docs/operating.md. */
export const KEY_NAMES = ["CREDENTIAL_KEY", "TOKEN_KEY", "ENCRYPTION_KEY", "VAPID_PRIVATE_KEY", "RECORD_KEY"] as const;
export type Secrets = Record<(typeof KEY_NAMES)[number], string>;

/**
 * Reads the keys of an installation from its folder, and adds those that are missing: stored credentials and files are
 * useless without their keys. Keys that the environment sets come first.
 */
export async function localSecrets(dataDir: string, environment = process.env): Promise<Secrets> {
  const file = join(dataDir, "secrets.json");
  const stored: Partial<Secrets> | undefined = await readFile(file, "utf8").then(JSON.parse, () => undefined);
  // A key that came later than the file is made beside the others.
  const fresh = newSecrets();
  const secrets = { ...fresh, ...stored };
  if (Object.keys(fresh).some((name) => !stored || !(name in stored))) {
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
  const problems = KEY_NAMES.flatMap((name) => keyProblem(name, secrets[name]) ?? []);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** The sentence for a key that is malformed or easy to guess; undefined for a good one. */
export function keyProblem(name: keyof Secrets, value: string): string | undefined {
  const isList = LISTS.includes(name);
  const isHex = !PRIVATE_KEYS.includes(name);
  const keys = isList ? value.split(",") : [value];
  if (keys.every(isHex ? isHexKey : isPrivateKey)) return undefined;
  const form = isHex ? "32 bytes in hexadecimal digits" : "32 bytes in base64url";
  return isList ? `${name} must be a list of ${form}, separated by commas.` : `${name} must be ${form}.`;
}

const LISTS: (keyof Secrets)[] = ["TOKEN_KEY", "ENCRYPTION_KEY", "RECORD_KEY"];
const PRIVATE_KEYS: (keyof Secrets)[] = ["VAPID_PRIVATE_KEY", "RECORD_KEY"];

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
