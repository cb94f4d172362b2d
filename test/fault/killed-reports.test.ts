import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { LocalWorkers } from "../../scripts/miniflare.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn, type Reply } from "../tool/call/account.ts";
import { written } from "../tool/point/long-drive.ts";
import { watchRuntimes } from "../tool/system/killed-runtime.ts";
import { type LocalGround, newLocalGround } from "../tool/system/local-workers.ts";

const TRACKERS = 150;
/** Longer than a report is left to whoever had it. */
const LEASE_SECONDS = 180;
const PATIENT = { timeout: 60_000, interval: 20 };
const runtimes = watchRuntimes();
let ground: LocalGround;
let workers: LocalWorkers;
let account: Account;
let trackers: number[];

beforeAll(async () => {
  ground = await newLocalGround();
  workers = await ground.start();
  account = await accountsOn(ground).newAccount();
  trackers = [];
  while (trackers.length < TRACKERS) trackers.push((await account.newTracker()).id);
});

afterAll(async () => {
  await workers?.stop();
  await ground?.remove();
});

test("a report whose Worker is killed goes on where it was, until each sheet is there once", async () => {
  const range = { from: written(systemNow() - DAY_MS), to: written(systemNow()) };
  const plugin = { plugin_id: 4 };
  const { id: report_id } = await account.must("/report/tracker/generate", { ...range, trackers, plugin });
  const percentReady = async () => (await account.must("/report/tracker/status", { report_id })).percent_ready;
  let before = 0;
  for (let kill = 1; kill <= 2; kill++) {
    await vi.waitUntil(async () => (await percentReady()) > before, PATIENT);
    await runtimes.killAndWait(ground);
    const percent = await percentReady();
    // It was in the midst of it, and what was made is not made again.
    expect(percent).toBeGreaterThan(before);
    expect(percent).toBeLessThan(100);
    before = percent;
    for (const path of ["/report/tracker/retrieve", "/report/tracker/download"]) {
      expect((await account.call(path, { report_id, format: "csv" })).status.code, path).toBe(229);
    }
    await workers.stop();
    workers = await ground.start({ CLOCK_OFFSET_SECONDS: String(kill * LEASE_SECONDS) });
    await workers.fireCrons(new Date());
  }
  await vi.waitUntil(async () => (await percentReady()) === 100, PATIENT);
  const { report } = await account.must("/report/tracker/retrieve", { report_id });
  const ids = report.sheets.map(({ entity_ids }: Reply) => entity_ids);
  expect(ids).toEqual([trackers, ...trackers.map((id) => [id])]);
  expect((await account.must("/report/tracker/list")).list).toMatchObject([{ id: report_id, percent: 100 }]);
}, 180_000);
