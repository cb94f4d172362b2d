import { migrationFiles } from "../apply-migrations.ts";
import type { Secrets } from "../system/secrets.ts";
import { type DatabaseServer, variableOf } from "../system/sqld.ts";
import { migrationsOf, WORKERS, type WorkerName } from "../workers.ts";
import { chainProblem } from "./chain.ts";
import { connectionProblem, readTables } from "./client.ts";
import { findChangedKeys } from "./key-fingerprints.ts";

export type DatabaseServers = Partial<Record<WorkerName, DatabaseServer>>;
/** The content of one database as the scripts see it before they change anything. */
export type InspectedDatabase = {
  worker: WorkerName;
  /** Names the database in messages: its variable, or the folder of a server of our own. */
  label: string;
  pending: string[];
  /** The installation that the database belongs to; undefined for a database that was never migrated. */
  installation: string | undefined;
  problems: string[];
  /** The first trackers of the further databases in geo's list, as the list is stored. */
  starts: number[];
  /** Why the database could not be read; the other members are empty then. */
  unreachable?: string;
};
export type Inspection = { databases: InspectedDatabase[]; installation: string | undefined; problems: string[] };

/**
 * Reads all given databases with SELECTs alone and finds those that do not fit: of another installation, of another Worker,
 * newer than this code, or written with other keys.
 */
export async function inspectDatabases(servers: DatabaseServers, keys: Partial<Secrets> = {}): Promise<Inspection> {
  const databases = await Promise.all(
    namedDatabases(servers).map((database) =>
      inspectDatabase(database).catch((error) =>
        unreachable(database, connectionProblem(database.label, database.server, error)),
      ),
    ),
  );
  const isReadable = databases.some(({ worker, unreachable }) => worker === "gateway" && !unreachable);
  const changed = servers.gateway && isReadable ? await findChangedKeys(servers.gateway, keys) : [];
  return judge(databases, changed);
}

/** Adds the problems that show in the databases together. */
function judge(databases: InspectedDatabase[], changedKeys: string[]): Inspection {
  const installation = installationOf(databases);
  const strangers = databases.filter((one) => one.installation && one.installation !== installation?.id);
  const problems = [
    ...databases.flatMap((one) => one.problems),
    ...strangers.map(
      (one) =>
        `${one.label} has data of another installation (${one.installation}) than ${installation?.label} (${installation?.id ?? "new"}): use the databases of one installation.`,
    ),
    ...changedKeys,
  ];
  return { databases, installation: installation?.id, problems };
}

/** Gateway's database decides which installation it is; without it the first one that belongs to one. */
function installationOf(databases: InspectedDatabase[]) {
  const first =
    databases.find(({ worker, unreachable }) => worker === "gateway" && !unreachable) ??
    databases.find(({ installation }) => installation);
  return first && { label: first.label, id: first.installation };
}

export type NamedDatabase = { worker: WorkerName; label: string; server: DatabaseServer };

/** All databases, those for points that geo has beside its first one included. */
export function namedDatabases(servers: DatabaseServers): NamedDatabase[] {
  return WORKERS.flatMap((worker) => {
    const first = servers[worker];
    if (!first) return [];
    return [first, ...(first.further ?? [])].map((server, index) => {
      const label = server.isOwn
        ? `The folder databases/${worker}${index === 0 ? "" : `-${index + 1}`} of DATA_DIR`
        : variableOf(worker, index + 1);
      return { worker, label, server };
    });
  });
}

function unreachable({ worker, label }: NamedDatabase, reason: string): InspectedDatabase {
  return { worker, label, pending: [], installation: undefined, problems: [], starts: [], unreachable: reason };
}

async function inspectDatabase({ worker, label, server }: NamedDatabase): Promise<InspectedDatabase> {
  const { rows, tables } = await readTables(server, {
    migration: "SELECT name FROM migration",
    installation: "SELECT worker, id FROM installation",
    tracker_database: "SELECT first_tracker_id FROM tracker_database WHERE position > 1 ORDER BY position",
  });
  const applied = new Set(rows.migration.map(({ name }) => String(name)));
  const present = await migrationFiles(migrationsOf(worker));
  const identity = rows.installation.at(0);
  const problems: string[] = [];
  if (identity && identity.worker !== worker)
    problems.push(`${label} has the data of ${identity.worker}, not of ${worker}: give each Worker its own database.`);
  else if (tables.size > 0 && applied.size === 0)
    problems.push(`${label} has tables of another program: take an empty database, or that of ${worker}.`);
  else problems.push(...chainProblem(label, applied, present));
  const installation = identity?.id ? String(identity.id) : undefined;
  const starts = rows.tracker_database.map(({ first_tracker_id }) => Number(first_tracker_id));
  return { worker, label, pending: present.filter((name) => !applied.has(name)), installation, problems, starts };
}
