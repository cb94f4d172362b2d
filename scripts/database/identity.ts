import { randomUUID } from "node:crypto";
import { KEY_NAMES, type Secrets } from "../system/secrets.ts";
import type { DatabaseServer } from "../system/sqld.ts";
import { readTables, withClient } from "./client.ts";
import { type DatabaseServers, inspectDatabases, type NamedDatabase, namedDatabases } from "./inspect.ts";
import { storeKeyFingerprints } from "./key-fingerprints.ts";

/** Throws all problems of the databases at once, before anything is changed. Keys to accept are left out of `keys`. */
export async function requireSound(servers: DatabaseServers, keys: Partial<Secrets> = {}): Promise<void> {
  const { problems, databases } = await inspectDatabases(servers, keys);
  const all = [...problems, ...databases.flatMap(({ unreachable }) => unreachable ?? [])];
  if (all.length > 0) throw new Error(all.join("\n"));
}

/**
 * Writes into each database whose it is, and into gateway's the fingerprints of the keys. The installation's id is made with
 * gateway's database; without that the other databases get no id yet. Answers the id.
 */
export async function markDatabases(
  servers: DatabaseServers,
  keys: Partial<Secrets> = {},
): Promise<string | undefined> {
  const databases = namedDatabases(servers);
  const { gateway } = servers;
  // The first of two starts at the same time decides the id: it is read back before the other databases get it.
  const id = gateway ? await mark({ worker: "gateway", server: gateway }, randomUUID()) : undefined;
  const others = databases.filter(({ worker }) => worker !== "gateway");
  const ids = await Promise.all(others.map((database) => mark(database, id)));
  if (gateway) await storeKeyFingerprints(gateway, keys);
  return id ?? ids.find(Boolean);
}

/** The id of the installation that a migrated database belongs to. */
export async function installationOf(server: DatabaseServer): Promise<string> {
  const { rows } = await readTables(server, { installation: "SELECT id FROM installation" });
  return String(rows.installation.at(0)?.id ?? "");
}

/** Answers the id that the database has afterwards. */
async function mark({ worker, server }: Pick<NamedDatabase, "worker" | "server">, id: string | undefined) {
  const query = "SELECT worker, id FROM installation";
  const { rows } = await readTables(server, { installation: query });
  const [present] = rows.installation;
  if (present && (present.id || !id)) return present.id ? String(present.id) : undefined;
  const results = await withClient(server, (client) =>
    client.batch(
      [
        "CREATE TABLE IF NOT EXISTS installation (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), worker TEXT NOT NULL, id TEXT, environment TEXT)",
        {
          sql: `INSERT INTO installation (only_row, worker, id) VALUES (1, ?, ?)
                ON CONFLICT (only_row) DO UPDATE SET id = coalesce(installation.id, excluded.id)`,
          args: [worker, id ?? null],
        },
        query,
      ],
      "write",
    ),
  );
  const stored = results.at(-1)?.rows[0]?.id;
  return stored ? String(stored) : undefined;
}

/** The sentence for databases that another environment was deployed with: each environment has its own. */
export async function environmentProblem(gateway: DatabaseServer, environment: string): Promise<string[]> {
  const { rows } = await readTables(gateway, { installation: "SELECT environment FROM installation" });
  const stored = rows.installation.at(0)?.environment;
  if (!stored || stored === environmentName(environment)) return [];
  return [
    `GATEWAY_DB_URL has data of the environment ${stored}, not of ${environmentName(environment)}: each environment has databases of its own.`,
  ];
}

export async function storeEnvironment(gateway: DatabaseServer, environment: string): Promise<void> {
  const sql = "UPDATE installation SET environment = ? WHERE environment IS NULL";
  await withClient(gateway, (client) => client.execute({ sql, args: [environmentName(environment)] }));
}

/** The top of each wrangler.toml, which has no name there, is the production. */
function environmentName(environment: string) {
  return environment || "production";
}

/** The keys without those that the command line says are new on purpose: `--new-key CREDENTIAL_KEY`. */
export function withoutNewKeys(keys: Partial<Secrets>, args: string[]): Partial<Secrets> {
  const accepted = args.flatMap((arg, index) => {
    if (arg.startsWith("--new-key=")) return arg.slice("--new-key=".length);
    return arg === "--new-key" ? (args[index + 1] ?? "") : [];
  });
  const unknown = accepted.find((name) => !KEY_NAMES.some((one) => one === name));
  if (unknown !== undefined)
    throw new Error(`--new-key ${unknown}: there is no such key, only ${KEY_NAMES.join(", ")}.`);
  return Object.fromEntries(Object.entries(keys).filter(([name]) => !accepted.includes(name)));
}
