import { setTimeout as pause } from "node:timers/promises";
import { decodePoints } from "../services/geo/src/point/codec.ts";
import { systemNow } from "../shared/time/clock.ts";
import { DAY_MS } from "../shared/time/duration.ts";
import { writeUtc } from "../test/tool/call/utc-time.ts";
import type { Month } from "./point/month.ts";
import { type Account, BASE, registerTracker } from "./tool/account.ts";
import { newDrive } from "./tool/drive.ts";
import { compareRounds, type Figure, rounds, timeOf } from "./tool/figure.ts";
import { bytesOf, load } from "./tool/load.ts";
import type { Stack } from "./tool/stack.ts";

type Range = { from: number; to: number };

/** A month's trips, from the call until the report is ready; and the call that shows it. */
export async function reportFigures(stack: Stack, account: Account, month: Month): Promise<Figure[]> {
  const { origin } = stack;
  const make = () => generateReport(account, [month.tracker_id], month, TRIPS);
  const decode = () => {
    for (const chunk of month.chunks) decodePoints(chunk);
  };
  await make();
  await timeOf(decode, 10);
  const times = await rounds({
    decode: () => timeOf(decode, 10),
    processor: () => processorTimeOf(stack, make, 20),
    report: () => timeOf(make, 5),
  });
  // The newest: the first are not kept for so long.
  const report_id = await make();
  const ofReport = bytesOf({
    path: `${BASE}/report/tracker/retrieve`,
    body: JSON.stringify({ hash: account.hash, report_id }),
  });
  const nothing = bytesOf({ path: `${BASE}/base/nothing`, body: JSON.stringify({ hash: account.hash }) });
  const one = { connections: 1, seconds: 1 };
  const p50 = await rounds({
    nothing: async () => (await load(origin, () => nothing, one)).p50Ms,
    retrieve: async () => (await load(origin, () => ofReport, one)).p50Ms,
  });
  const decoding = { name: "decoding its chunks", unit: "ms" };
  const baseline = { name: "/base/nothing", unit: "ms" };
  return [
    compareRounds(
      { name: "a report of a month's trips, processor", unit: "ms", goal: { most: 5 }, baseline: decoding },
      times.processor,
      times.decode,
    ),
    compareRounds({ name: "the same, until it is ready", unit: "ms", baseline: decoding }, times.report, times.decode),
    compareRounds(
      { name: "/report/tracker/retrieve, p50", unit: "ms", goal: { most: 6 }, baseline },
      p50.retrieve,
      p50.nothing,
    ),
  ];
}

/** Ten times as many trackers, each with 31 days of points that are all read, and what that does to workerd's memory. */
export async function manyTrackersFigures(stack: Stack, account: Account): Promise<Figure[]> {
  const to = Math.floor(systemNow() / 1000) * 1000;
  const range = { from: to - DAYS * DAY_MS, to };
  const ids: number[] = [];
  for (let index = 0; index < TRACKERS; index++) ids.push(await sendPoints(account, index, range));
  const few = ids.slice(0, TRACKERS / 10);
  await generateReport(account, few, range, SPEEDING);
  const before = stack.residentBytes().system / MEGABYTE;
  const times = await rounds(
    {
      few: () => timeOf(() => generateReport(account, few, range, SPEEDING), 1),
      all: () => timeOf(() => generateReport(account, ids, range, SPEEDING), 1),
    },
    3,
  );
  const after = stack.residentBytes().system / MEGABYTE;
  const of = { name: "of 10 trackers", unit: "ms" };
  const atFirst = { name: "before it", unit: "MB" };
  return [
    compareRounds(
      { name: "a report of 100 trackers, 31 days", unit: "ms", goal: { most: 12 }, baseline: of },
      times.all,
      times.few,
    ),
    compareRounds(
      { name: "what workerd's memory grew by meanwhile", unit: "MB", goal: { mostValue: 200 }, baseline: atFirst },
      [after - before],
      [before],
    ),
  ];
}

/** Milliseconds of processors that workerd uses for one of `times`. */
async function processorTimeOf({ processorMs }: Stack, work: () => Promise<unknown>, times: number): Promise<number> {
  const before = processorMs();
  for (let time = 0; time < times; time++) await work();
  return (processorMs() - before) / times;
}

/** The report's id, once it is ready. */
export async function generateReport(
  account: Account,
  trackers: number[],
  { from, to }: Range,
  plugin: object,
): Promise<number> {
  const range = { from: writeUtc(from), to: writeUtc(to) };
  const { id } = await account.call("/report/tracker/generate", { trackers, ...range, plugin });
  for (let waited = 0; waited < MAX_WAIT_MS; waited += POLL_MS) {
    const { percent_ready } = await account.call("/report/tracker/status", { report_id: id });
    if (percent_ready === 100) return Number(id);
    await pause(POLL_MS);
  }
  throw new Error("the report was not ready in time");
}

/** Sends points this many milliseconds apart. */
export async function sendPoints(
  account: Account,
  index: number,
  { from, to }: Range,
  stepMs = STEP_MS,
): Promise<number> {
  const tracker = await registerTracker(account, `Report ${index}`);
  const next = newDrive(index, from, stepMs);
  const count = Math.floor((to - from) / stepMs);
  for (let sent = 0; sent < count; sent += BATCH) {
    const points = Array.from({ length: Math.min(BATCH, count - sent) }, next);
    await account.call("/ingest/points", { device_id: tracker.device_id, points });
  }
  return tracker.id;
}

const TRIPS = { plugin_id: 4 };
const SPEEDING = { plugin_id: 27, max_speed: 60 };
const TRACKERS = 100;
const DAYS = 31;
const STEP_MS = 300_000;
const BATCH = 1000;
const POLL_MS = 5;
const MAX_WAIT_MS = 120_000;
const MEGABYTE = 1024 * 1024;
