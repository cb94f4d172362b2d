import { randomUUID } from "node:crypto";
import { type Client, createClient } from "@libsql/client/http";
import { applyMigrations } from "./apply-migrations.ts";
import { markDatabases, requireSound } from "./database/identity.ts";
import type { Secrets } from "./system/secrets.ts";
import { type DatabaseServer, variableOf } from "./system/sqld.ts";
import { forEachWorker, migrationsOf, type WorkerName } from "./workers.ts";

/** Brings a Worker's database up to date, and those beside it; answers with the files that it applied. */
export async function migrateDatabases(worker: WorkerName, server: DatabaseServer) {
  const all = [server, ...(server.further ?? [])];
  const twice = all.findIndex(({ url }, index) => all.some((other, before) => before < index && other.url === url));
  if (twice >= 0) throw inListTwice(twice);
  const applied = await Promise.all(all.map((one) => applyMigrations(migrationsOf(worker), one)));
  const starts = worker === "geo" ? await enlist(all) : [];
  return { server: { ...server, starts }, applied: [...new Set(applied.flat())] };
}

/**
 * Brings the databases of all Workers up to date. Before that it refuses databases that do not fit together or were written
 * with other keys; afterwards each says whose it is. Keys that are new on purpose are in `newKeys` alone.
 */
export async function migrateAll(
  servers: Record<WorkerName, DatabaseServer>,
  keys: Partial<Secrets> = {},
  newKeys: Partial<Secrets> = {},
): Promise<Record<WorkerName, DatabaseServer>> {
  await requireSound(servers, keys);
  const migrated = await forEachWorker(async (worker) => (await migrateDatabases(worker, servers[worker])).server);
  await markDatabases(servers, { ...keys, ...newKeys });
  return migrated;
}

/** The list of databases as one of them stores it. */
type DatabaseList = { list: Entry[]; here: Entry | undefined; hasPoints: boolean; newestTracker: number };
type Entry = { position: number; first_tracker_id: number; mark: string };

/**
 * Makes sure that these are the databases that points have been in so far, in their order, and takes those behind them
 * into the list. Answers the first trackers of the second one and of all further ones.
 */
async function enlist(servers: DatabaseServer[]): Promise<number[]> {
  const clients = servers.map(({ url, token }) => createClient({ url, authToken: token || undefined }));
  try {
    const found = await Promise.all(clients.map(readList));
    requireKnown(found);
    const list = grown(found);
    if (found.some((one) => JSON.stringify(one.list) !== JSON.stringify(list)))
      await put(clients, list, found[0]?.list.length ?? 0);
    return list.slice(1).map(({ first_tracker_id }) => first_tracker_id);
  } finally {
    for (const client of clients) client.close();
  }
}

async function readList(client: Client): Promise<DatabaseList> {
  const [list, state] = await client.batch(
    [
      "SELECT position, first_tracker_id, mark, is_here FROM tracker_database ORDER BY position",
      "SELECT EXISTS (SELECT 1 FROM chunk) AS has_points, (SELECT max(tracker_id) FROM device) AS newest",
    ],
    "read",
  );
  const toEntry = ({ position, first_tracker_id, mark }: Record<string, unknown>) => ({
    ...{ position: Number(position), first_tracker_id: Number(first_tracker_id), mark: String(mark) },
  });
  const here = list?.rows.find(({ is_here }) => is_here === 1);
  return {
    list: list?.rows.map(toEntry) ?? [],
    here: here && toEntry(here),
    hasPoints: state?.rows[0]?.has_points === 1,
    newestTracker: Number(state?.rows[0]?.newest ?? 0),
  };
}

/** The list of the first one counts: it is written last. */
function requireKnown(found: DatabaseList[]) {
  const known = found[0]?.list ?? [];
  if (known.length > found.length)
    throw new Error(
      `geo has points in ${known.length} databases and is given ${found.length}: ${variableOf("geo", found.length + 1)} is missing (of its own servers, GEO_DATABASES=${known.length}).`,
    );
  for (const [index, { here, hasPoints }] of found.entries()) {
    const [name, entry] = [variableOf("geo", index + 1), known[index]];
    if (index === 0 && here && here.position !== 1)
      throw new Error(
        `${name} names number ${here.position} of geo's databases: the list may not be put in another order.`,
      );
    if (index > 0 && entry && here?.mark !== entry.mark)
      throw new Error(
        `${name} names another database than number ${index + 1} of geo's: its points would not be found.`,
      );
    if (index > 0 && !entry && (hasPoints || known.some(({ mark }) => mark === here?.mark)))
      throw new Error(`${name} names a database that is in use: geo's list grows by empty ones alone.`);
  }
}

function grown(found: DatabaseList[]): Entry[] {
  const [first] = found;
  const known = first?.list ?? [];
  if (!first || found.length === 1) return known;
  const start = first.newestTracker === 0 ? 1 : first.newestTracker + 1 + YET_TO_COME;
  const first_tracker_id = Math.max(start, known.at(-1)?.first_tracker_id ?? 0);
  return found.map(
    (_, index) =>
      known[index] ?? {
        position: index + 1,
        first_tracker_id: index === 0 ? 0 : first_tracker_id,
        mark: randomUUID(),
      },
  );
}

/** To the first one last, whose list counts. */
async function put(clients: Client[], list: Entry[], known: number) {
  const [first, ...others] = clients.map(
    (client, index) => () => client.batch(statementsFor(list, index + 1), "write"),
  );
  await Promise.all(others.map((write) => write()));
  const found = await Promise.all(clients.map(readList));
  // One database can have several names.
  const twice = found.findIndex(({ here }, index) => here && here.mark !== list[index]?.mark);
  if (twice >= 0) {
    await Promise.all(clients.slice(known).map((client) => client.execute("DELETE FROM tracker_database")));
    throw inListTwice(twice);
  }
  await first?.();
}

function inListTwice(index: number) {
  return new Error(`${variableOf("geo", index + 1)} names a database that is in geo's list twice.`);
}

function statementsFor(list: Entry[], here: number) {
  const rows = list.map(({ position, first_tracker_id, mark }) => ({
    sql: "INSERT INTO tracker_database (position, first_tracker_id, mark, is_here) VALUES (?, ?, ?, ?)",
    args: [position, first_tracker_id, mark, Number(position === here)],
  }));
  return ["DELETE FROM tracker_database", ...rows];
}

/**
 * The new list starts behind this many future trackers: Workers with the old list and with the new one agree on those.
 */
const YET_TO_COME = 1000;
