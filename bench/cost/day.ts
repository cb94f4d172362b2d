import { createClient } from "@libsql/client/http";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { pageBytes } from "../point/month.ts";
import { type Account, BASE, registerTracker } from "../tool/account.ts";
import { type IngestPoint, newDrive } from "../tool/drive.ts";
import type { Stack } from "../tool/stack.ts";
import type { CountedDatabases, Rows } from "./counted-databases.ts";
import { METERED } from "./front.ts";

/** Counted usage of a tracker in a period. */
export type Counted = {
  points: number;
  /** Requests of devices, each one request of the gateway. */
  requests: number;
  /** Counters of the Workers, by name. */
  counts: Record<string, number>;
  rows: Rows;
  processorMs: number;
  /** Size of the feed's storage. */
  feedBytes: { begin: number; end: number };
  /** Growth of geo's database. */
  databaseBytes: number;
};

export const STEP_MS = 10_000;
export const POINTS_A_DAY = DAY_MS / STEP_MS;

export type DayStart = { stack: Stack; databases: CountedDatabases; account: Account };

/** Counts the work for `hours` of a tracker that makes a point every ten seconds and sends `batch` of them in a request. */
export async function countDay({ stack, databases, account }: DayStart, batch: number, hours = 24): Promise<Counted> {
  const { id, device_id } = await registerTracker(account, `Every ${batch}`);
  const count = Math.round((POINTS_A_DAY * hours) / 24);
  const start = Math.floor(systemNow() / 1000) * 1000 - DAY_MS;
  const next = newDrive(batch, start - STEP_MS, STEP_MS);
  // Deliveries that follow a registration are not part of the day.
  await sweep({ stack, databases });
  await stack.workers.ask("geo", `/begin/${start - STEP_MS}`);
  await send([next()]);
  await databases.waitUntilIdle();
  const [begin, databaseBegin] = [await feedBytes(), await databaseBytes()];
  await takeCounts(stack);
  databases.take();
  const processorMs = stack.processorMs();
  for (let sent = 0; sent < count; sent += batch) await send(Array.from({ length: batch }, next));
  return {
    points: count,
    requests: count / batch,
    processorMs: stack.processorMs() - processorMs,
    counts: await takeCounts(stack),
    rows: databases.take(),
    feedBytes: { begin, end: await feedBytes() },
    databaseBytes: (await databaseBytes()) - databaseBegin,
  };

  async function feedBytes() {
    return Number(await stack.workers.ask("geo", `/bytes/FEEDS/${id}`));
  }

  async function databaseBytes() {
    const client = createClient({ url: stack.servers.geo.url, authToken: stack.servers.geo.token });
    const bytes = await pageBytes(client);
    client.close();
    return bytes;
  }

  function send(points: IngestPoint[]) {
    return sendPoints(stack, device_id, points);
  }
}

/** Delivers what calls have changed so far, as the crons of each minute do, and waits until that is over. */
export async function sweep({ stack, databases }: Pick<DayStart, "stack" | "databases">) {
  await stack.workers.fireCrons(new Date());
  await databases.waitUntilIdle();
}

/** Sends points of a device in one request, at the moment of the last point. */
export async function sendPoints({ origin }: Stack, device_id: string, points: IngestPoint[]) {
  const last = points.at(-1);
  const path = `${origin}${BASE}/ingest/points?timestamp=${Date.parse(last?.time ?? "") / 1000}`;
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify({ device_id, points }) });
  const { accepted } = (await answer.json()) as { accepted: number }; // every reply
  if (accepted !== points.length) throw new Error(`of ${points.length} points ${accepted} were new`);
}

/** Counters since the last call. */
export async function takeCounts({ workers }: Stack): Promise<Record<string, number>> {
  const taken = await Promise.all(METERED.map((worker) => workers.ask(worker, "/take")));
  return Object.assign({}, ...taken);
}
