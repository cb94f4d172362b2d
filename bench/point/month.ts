import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient } from "@libsql/client/http";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { decodePoints } from "../../services/geo/src/point/codec.ts";
import { writeUtc } from "../../test/tool/call/utc-time.ts";
import { type Account, BASE, registerTracker } from "../tool/account.ts";
import { type IngestPoint, newDrive } from "../tool/drive.ts";
import { compareRounds, type Figure, rounds, timeOf } from "../tool/figure.ts";
import { bytesOf, load } from "../tool/load.ts";
import type { Stack } from "../tool/stack.ts";

/** A tracker with a month of points behind it, and what the databases hold of them. */
export type Month = {
  tracker_id: number;
  from: number;
  to: number;
  points: IngestPoint[];
  chunks: Uint8Array[];
  /** The number of points in chunks; the last thousands are still in the feed. */
  chunkPoints: number;
  chunkBytes: number;
  geoBytes: number;
  feedBytes: number;
};

/** Records a month of points that ends at `to`, by default now, for a new tracker. */
export async function recordMonth(
  { servers, folder }: Stack,
  account: Account,
  to = Math.floor(systemNow() / 1000) * 1000,
): Promise<Month> {
  const tracker = await registerTracker(account, "A month");
  const client = createClient({ url: servers.geo.url, authToken: servers.geo.token });
  try {
    const before = { geo: await pageBytes(client), feeds: usedBytes(join(folder, "workers")) };
    const from = to - POINTS * STEP_MS;
    const next = newDrive(7, from, STEP_MS);
    const points = Array.from({ length: POINTS }, next);
    for (let start = 0; start < POINTS; start += 1000) {
      const batch = { device_id: tracker.device_id, points: points.slice(start, start + 1000) };
      await account.call("/ingest/points", batch);
    }
    const chunks = await flushedChunks(client, tracker.id);
    return {
      tracker_id: tracker.id,
      from,
      to,
      points,
      chunks: chunks.map(({ data }) => data),
      chunkPoints: chunks.reduce((sum, { count }) => sum + count, 0),
      chunkBytes: chunks.reduce((sum, { data }) => sum + data.length, 0),
      geoBytes: (await pageBytes(client)) - before.geo,
      feedBytes: usedBytes(join(folder, "workers")) - before.feeds,
    };
  } finally {
    client.close();
  }
}

/** Size of a point, compared with a table with one row per point. */
export function sizeFigures(month: Month): Figure[] {
  const unit = "bytes/point";
  const perRow = [rowBytes(month.points)];
  const baseline = { name: "a row a point", unit };
  // Pages, so rows, indices and what is unused in them count.
  const stored = [month.geoBytes / month.chunkPoints];
  return [
    compareRounds({ name: "geo database", unit, goal: { mostValue: 10 }, baseline }, stored, perRow),
    compareRounds({ name: "of it the chunks' data", unit, baseline }, [month.chunkBytes / month.chunkPoints], perRow),
    // Open points, trips and the list of chunks.
    compareRounds({ name: "besides it the feed", unit, baseline }, [month.feedBytes / month.points.length], perRow),
  ];
}

export async function listFigure({ origin }: Stack, { hash, call }: Account, month: Month): Promise<Figure> {
  const { tracker_id } = month;
  const day = Math.floor(month.from / DAY_MS + 15) * DAY_MS;
  const [ofDay, ofMonth] = [
    { tracker_id, from: writeUtc(day), to: writeUtc(day + DAY_MS - 1000) },
    { tracker_id, from: writeUtc(month.from), to: writeUtc(month.to) },
  ];
  await requireItems(call("/track/list", ofDay), 2);
  await requireItems(call("/track/list", ofMonth), 40);
  const [day_, month_] = [ofDay, ofMonth].map((range) =>
    bytesOf({ path: `${BASE}/track/list`, body: JSON.stringify({ hash, ...range }) }),
  );
  const one = { connections: 1, seconds: 1 };
  const p50 = await rounds({
    day: async () => (await load(origin, () => day_, one)).p50Ms,
    month: async () => (await load(origin, () => month_, one)).p50Ms,
  });
  const baseline = { name: "one day", unit: "ms" };
  return compareRounds(
    { name: "/track/list, a month, p50", unit: "ms", goal: { most: 5 }, baseline },
    p50.month,
    p50.day,
  );
}

/** Measures reading the month with and without the points of the parked van. */
export async function readFigures({ origin }: Stack, { hash, call }: Account, month: Month): Promise<Figure[]> {
  const range = { tracker_id: month.tracker_id, from: writeUtc(month.from), to: writeUtc(month.to) };
  const [driven, whole] = [range, { ...range, filter: false }];
  for (const wanted of [driven, whole]) await requireItems(call("/track/read", wanted), 2000);
  const [ofDriven, ofWhole] = [driven, whole].map((wanted) =>
    bytesOf({ path: `${BASE}/track/read`, body: JSON.stringify({ hash, ...wanted }) }),
  );
  await decodingOf(month);
  const one = { connections: 1, seconds: 1 };
  const p50 = await rounds({
    decode: () => decodingOf(month),
    driven: async () => (await load(origin, () => ofDriven, one)).p50Ms,
    whole: async () => (await load(origin, () => ofWhole, one)).p50Ms,
  });
  const described = { unit: "ms", goal: { most: 6 }, baseline: { name: "decoding its chunks", unit: "ms" } };
  return [
    compareRounds({ name: "/track/read, a month, p50", ...described }, p50.driven, p50.decode),
    compareRounds({ name: "the same with parking", ...described }, p50.whole, p50.decode),
  ];
}

/** Milliseconds that a bare loop needs for the chunks of the month. */
export function decodingOf({ chunks }: Month): Promise<number> {
  return timeOf(() => {
    for (const chunk of chunks) decodePoints(chunk);
  }, 10);
}

async function requireItems(asked: Promise<Record<string, unknown>>, least: number) {
  const { list } = await asked;
  if (!Array.isArray(list) || list.length < least) throw new Error(`there are fewer than ${least} items in the answer`);
}

/** Waits for the chunks of the month: a feed writes them after its answers. */
async function flushedChunks(client: Client, tracker_id: number) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { rows } = await client.execute({
      sql: 'SELECT count, data FROM chunk WHERE tracker_id = ? ORDER BY "to"',
      args: [tracker_id],
    });
    const chunks = rows.map(({ count, data }) => ({ count: Number(count), data: new Uint8Array(data as ArrayBuffer) })); // a blob
    if (chunks.reduce((sum, { count }) => sum + count, 0) >= POINTS - MAX_OPEN_POINTS) return chunks;
    await pause(100);
  }
  throw new Error("the feed did not write its points to the database");
}

export async function pageBytes(client: Client) {
  const { rows } = await client.execute(PAGES_IN_USE);
  return Number(rows[0]?.bytes);
}

/** Size of the same points as rows in time order, with integers as small as ours. */
function rowBytes(points: IngestPoint[]) {
  const database = new DatabaseSync(":memory:");
  database.exec(
    `CREATE TABLE point (tracker_id INTEGER, time INTEGER, lat INTEGER, lng INTEGER, speed INTEGER, heading INTEGER, alt INTEGER,
     satellites INTEGER, PRIMARY KEY (tracker_id, time, lat, lng)) WITHOUT ROWID`,
  );
  const insert = database.prepare("INSERT INTO point VALUES (1000, ?, ?, ?, ?, ?, ?, ?)");
  database.exec("BEGIN");
  for (const { time, lat, lng, speed, heading, alt, satellites } of points) {
    const [y, x, tenths] = [lat * 1e6, lng * 1e6, speed * 10].map(Math.round);
    insert.run(Date.parse(time), Number(y), Number(x), Number(tenths), heading, alt, satellites);
  }
  database.exec("COMMIT");
  const row = database.prepare(PAGES_IN_USE).get();
  database.close();
  return Number(row?.bytes) / points.length;
}

/** Pages in use of a copy of the feeds' databases, without their write-ahead logs. */
function usedBytes(folder: string): number {
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true, filter: (file) => !file.endsWith("-shm") });
  const files = readdirSync(copy, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sqlite"));
  let bytes = 0;
  for (const file of files) {
    const database = new DatabaseSync(join(copy, file));
    bytes += Number(database.prepare(PAGES_IN_USE).get()?.bytes);
    database.close();
  }
  rmSync(copy, { recursive: true });
  return bytes;
}

const PAGES_IN_USE = `SELECT (page_count - freelist_count) * page_size AS bytes
  FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;
const POINTS = 62_000;
const STEP_MS = 43_000;
/** A flush begins at 4096 open points, and a batch may come while one is under way. */
const MAX_OPEN_POINTS = 6_000;
