import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { type Account, BASE, registerTracker } from "../tool/account.ts";
import { newDrive } from "../tool/drive.ts";
import { compareRounds, type Figure, rounds } from "../tool/figure.ts";
import { bytesOf, load } from "../tool/load.ts";
import type { Stack } from "../tool/stack.ts";

/** Compares a tracker with a year of points with one that has a day. */
export async function countersFigure({ origin }: Stack, account: Account): Promise<Figure> {
  const [year, day] = [await recordDays(account, "A year", 365), await recordDays(account, "A day", 1)];
  const [ofYear, ofDay] = [year, day].map((tracker_id) =>
    bytesOf({ path: `${BASE}/tracker/get_counters`, body: JSON.stringify({ hash: account.hash, tracker_id }) }),
  );
  const one = { connections: 1, seconds: 1 };
  const p50 = await rounds({
    day: async () => (await load(origin, () => ofDay, one)).p50Ms,
    year: async () => (await load(origin, () => ofYear, one)).p50Ms,
  });
  const baseline = { name: "of a day", unit: "ms" };
  const described = { name: "/tracker/get_counters, a year, p50", unit: "ms", goal: { most: 1.5 }, baseline };
  return compareRounds(described, p50.year, p50.day);
}

/** Sends points of the last `days`, two minutes apart. */
async function recordDays(account: Account, label: string, days: number): Promise<number> {
  const { id, device_id } = await registerTracker(account, label);
  const count = (days * DAY_MS) / STEP_MS;
  const next = newDrive(days, Math.floor(systemNow() / 1000) * 1000 - count * STEP_MS, STEP_MS);
  for (let sent = 0; sent < count; sent += BATCH) {
    const points = Array.from({ length: Math.min(BATCH, count - sent) }, next);
    await account.call("/ingest/points", { device_id, points });
  }
  const { list } = await account.call("/tracker/get_counters", { tracker_id: id });
  if (!Array.isArray(list) || list.length === 0) throw new Error("the counters have no values");
  return id;
}

const STEP_MS = 120_000;
const BATCH = 1000;
