import { createHmac } from "node:crypto";
import type { InStatement } from "@libsql/client/http";
import { KEY_NAMES, type Secrets } from "../system/secrets.ts";
import type { DatabaseServer } from "../system/sqld.ts";
import { readTables, withClient } from "./client.ts";

/**
 * Sentences for keys that share nothing with the ones that gateway's database was written with. A list of keys fits while
 * one of the earlier keys is still in it: so keys can be changed one after the other.
 */
export async function findChangedKeys(gateway: DatabaseServer, keys: Partial<Secrets>): Promise<string[]> {
  const { rows } = await readTables(gateway, { key_fingerprint: "SELECT name, fingerprint FROM key_fingerprint" });
  return KEY_NAMES.filter((name) => {
    const stored = rows.key_fingerprint.filter((row) => row.name === name).map(({ fingerprint }) => fingerprint);
    const value = keys[name];
    return value && stored.length > 0 && !fingerprintsOf(name, value).some((one) => stored.includes(one));
  }).map(
    (name) =>
      `${name} differs from the key that the data was written with: set the earlier one, or accept its loss with \`-- --new-key ${name}\`.`,
  );
}

/** Replaces the stored fingerprints by those of the given keys, if they differ. */
export async function storeKeyFingerprints(gateway: DatabaseServer, keys: Partial<Secrets>): Promise<void> {
  const wanted = KEY_NAMES.flatMap((name) => fingerprintsOf(name, keys[name] ?? "").map((one) => ({ name, one })));
  const { rows } = await readTables(gateway, { key_fingerprint: "SELECT name, fingerprint FROM key_fingerprint" });
  const isStored = ({ name, one }: { name: string; one: string }) =>
    rows.key_fingerprint.some((row) => row.name === name && row.fingerprint === one);
  const wantedNames = new Set(wanted.map(({ name }) => name));
  const stored = rows.key_fingerprint.filter(({ name }) => wantedNames.has(name as keyof Secrets));
  if (wanted.every(isStored) && stored.length === wanted.length) return;
  const statements: InStatement[] = [
    "CREATE TABLE IF NOT EXISTS key_fingerprint (name TEXT NOT NULL, fingerprint TEXT NOT NULL, PRIMARY KEY (name, fingerprint))",
    ...[...wantedNames].map((name) => ({ sql: "DELETE FROM key_fingerprint WHERE name = ?", args: [name] })),
    ...wanted.map(({ name, one }) => ({ sql: INSERTED, args: [name, one] })),
  ];
  await withClient(gateway, (client) => client.batch(statements, "write"));
}

const INSERTED = "INSERT INTO key_fingerprint (name, fingerprint) VALUES (?, ?)";

/** A keyed hash of a text that says nothing: from it nobody can compute the key, which is random and 32 bytes long. */
function fingerprintsOf(name: string, list: string): string[] {
  const keys = list.split(",").filter(Boolean);
  return [...new Set(keys.map((key) => createHmac("sha256", key).update(`fingerprint of ${name}`).digest("hex")))];
}
