import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { effort } from "../tool/effort.ts";
import { watchRuntimes } from "../tool/installation/killed-runtime.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { bindingsFronts, moveClock } from "../tool/system/changed-bindings.ts";
import { waitUntil } from "../tool/wait.ts";

const [TRACKERS, KILLS] = [effort({ few: 60, many: 150 }), effort({ few: 1, many: 2 })];
/** Longer than the lease of the Worker that makes a report. */
const LEASE_SECONDS = 180;
const runtimes = watchRuntimes();
let ground: LocalInstallation;
let workers: LocalWorkers;
let account: Account;
let trackers: number[];

beforeAll(async () => {
  ground = await newLocalInstallation();
  workers = await ground.start({}, { fronts: bindingsFronts() });
  account = await accountsOn(ground).newAccount();
  trackers = [];
  while (trackers.length < TRACKERS) trackers.push((await account.newTracker()).id);
});

afterAll(async () => {
  await workers?.stop();
  await ground?.remove();
});

test("report/tracker/generate goes on where it was after kill -9 of its Worker, until each sheet is there once", async () => {
  const range = { from: writeUtc(systemNow() - DAY_MS), to: writeUtc(systemNow()) };
  const plugin = { plugin_id: 4 };
  const { id: report_id } = await account.must("/report/tracker/generate", { ...range, trackers, plugin });
  const percentReady = async () => (await account.must("/report/tracker/status", { report_id })).percent_ready;
  let before = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    await waitUntil(`more than ${before} % of the report is ready`, percentReady, (percent) => percent > before);
    await runtimes.killAndWait(ground);
    const percent = await percentReady();
    // The kill came in the middle of the report, and finished sheets are not made again.
    expect(percent).toBeGreaterThan(before);
    expect(percent).toBeLessThan(100);
    before = percent;
    for (const path of ["/report/tracker/retrieve", "/report/tracker/download"]) {
      expect((await account.call(path, { report_id, format: "csv" })).status.code, path).toBe(229);
    }
    await moveClock(workers, kill * LEASE_SECONDS);
    await workers.fireCrons(new Date());
  }
  await waitUntil("the report is ready", percentReady, (percent) => percent === 100);
  const { report } = await account.must("/report/tracker/retrieve", { report_id });
  const ids = report.sheets.map(({ entity_ids }: Reply) => entity_ids);
  expect(ids).toEqual([trackers, ...trackers.map((id) => [id])]);
  expect((await account.must("/report/tracker/list")).list).toMatchObject([{ id: report_id, percent: 100 }]);
  await workers.fireCrons(new Date());
  const { list: events } = await account.must("/event/feed/read", { cursor: "oldest", types: ["report.*"] });
  expect(events).toMatchObject([
    { type: "report.created", data: { id: report_id } },
    { type: "report.finished", data: { id: report_id } },
  ]);
});
