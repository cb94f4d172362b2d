import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { copyChunks } from "../tool/database/copies.ts";
import { IS_CAMPAIGN } from "../tool/effort.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { storeDrive } from "../tool/point/long-drive.ts";
import { memoryOf } from "../tool/system/isolate-memory.ts";
import { waitUntil } from "../tool/wait.ts";

// Its garbage is collected here, and its last file is never read to its end: the Workers are its own.
const [TRACKERS, ROWS, STEP_MS] = [5, 50_000, 1700];
const FROM = Math.floor(systemNow() / DAY_MS - 1) * DAY_MS;
const RANGE = { from: writeUtc(FROM), to: writeUtc(FROM + DAY_MS) };
/** Half of what an isolate may hold in production. */
const MAX_BYTES = 64_000_000;
let installation: LocalInstallation;
let workers: LocalWorkers;
let account: Account;
let trackers: number[];

beforeAll(async () => {
  installation = await newLocalInstallation();
  workers = await installation.start();
  const { newAccount, feed } = accountsOn(installation);
  account = await newAccount({ time_zone: "UTC" });
  const devices: Reply[] = [];
  while (devices.length < TRACKERS) devices.push(await account.newTracker());
  trackers = devices.map(({ id }) => id);
  const [driven, ...others] = devices;
  // Everywhere within some kilometers: what is much alike would become a small file.
  const points = Array.from({ length: ROWS }, (_, index) => ({
    ...{ time: FROM + index * STEP_MS, speed: 30 + (index % 97), alt: 100 + ((index * 31) % 211) },
    lat: 50 + ((index * 7919) % 99_991) / 1e6,
    lng: 8 + ((index * 104_729) % 99_989) / 1e6,
  }));
  expect(await storeDrive({ feed }, driven.source.device_id, points, installation.servers.geo)).toBe(ROWS);
  const ids = others.map(({ id }) => id);
  await copyChunks(installation.servers.geo, driven.id, ids);
});

afterAll(async () => {
  await workers?.stop();
  await installation?.remove();
});

test.runIf(IS_CAMPAIGN)(
  "an XLSX of a hundred thousand rows or more takes less than 64 MB of its Worker's memory in the middle of its download",
  async () => {
    const order = { ...RANGE, trackers, plugin: { plugin_id: 91 } };
    const { id: report_id } = await account.must("/report/tracker/generate", order);
    const isReady = async () => (await account.must("/report/tracker/status", { report_id })).percent_ready === 100;
    await waitUntil("the report is finished", isReady);
    const download = async () => {
      const body = JSON.stringify({ hash: account.hash, report_id, format: "xlsx", headless: true });
      const answer = await fetch(`${installation.baseUrl}/report/tracker/download`, { method: "POST", body });
      expect(answer.headers.get("content-type")).toContain("spreadsheetml");
      return answer;
    };
    const whole = new Uint8Array(await (await download()).arrayBuffer());
    expect(rowsIn(whole)).toBe(TRACKERS * ROWS);
    const memory = await memoryOf("fleet-reports", installation.inspectorPort);
    const reader = (await download()).body?.getReader();
    // The Worker makes no more of the file than is read, but for what buffers on the way hold.
    for (let bytes = 0; bytes < whole.length / 2; ) bytes += (await reader?.read())?.value?.length ?? whole.length;
    expect(await memory.liveBytes()).toBeLessThan(MAX_BYTES);
    memory.close();
  },
);

/** The rows of all sheets without their titles. */
function rowsIn(book: Uint8Array): number {
  const sheets = Object.entries(unzipSync(book)).filter(([path]) => path.startsWith("xl/worksheets/"));
  return sheets.reduce((sum, [, xml]) => sum + strFromU8(xml).split("<row ").length - 1 - TITLES, 0);
}

/** The header, the heading of the table and of the day, the columns' titles. */
const TITLES = 4;
