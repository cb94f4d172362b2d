import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { copyChunks } from "../tool/database/copies.ts";
import { IS_CAMPAIGN } from "../tool/effort.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { FLUSHED } from "../tool/point/archived-points.ts";
import { storeDrive } from "../tool/point/long-drive.ts";
import { memoryOf } from "../tool/system/isolate-memory.ts";

// The memory limit of an isolate in production, where garbage is collected before it is reached.
const MAX_BYTES = 128_000_000;
const [TRACKERS, DAYS, DATABASES] = [100, 31, 3];
const TO = Math.floor(systemNow() / MINUTE_MS) * MINUTE_MS;
const FROM = TO - DAYS * DAY_MS;
const RANGE = { from: writeUtc(FROM), to: writeUtc(TO) };
let installation: LocalInstallation;
let workers: LocalWorkers;
let account: Account;
let trackers: number[];
/** Points of the first trackers, all of them in the databases. */
let stored = 0;

beforeAll(async () => {
  installation = await newLocalInstallation();
  await installation.grow(DATABASES);
  workers = await installation.start();
  const { newAccount, feed } = accountsOn(installation);
  account = await newAccount({ time_zone: "UTC" });
  const devices: Reply[] = [];
  while (devices.length < TRACKERS) devices.push(await account.newTracker());
  // One in each of the databases, and the others.
  const [driven, others] = [devices.slice(0, DATABASES), devices.slice(DATABASES)];
  trackers = devices.map(({ id }) => id);
  // About one a minute, all of which the feed writes to the database; across the border of the zone every ten points.
  const count = FLUSHED * Math.floor((DAYS * DAY_MS) / MINUTE_MS / FLUSHED);
  const points = Array.from({ length: count }, (_, index) => ({
    time: FROM + Math.floor((index * DAYS * DAY_MS) / count),
    lat: 50 + (index % 7) / 1e5,
    lng: Math.floor(index / 10) % 2 === 0 ? 8 : 8.01,
    speed: 30 + (index % 9),
  }));
  for (const { source } of driven)
    stored = await storeDrive({ feed }, source.device_id, points, installation.servers.geo);
  expect(stored).toBe(DATABASES * points.length);
  const { further = [], ...first } = installation.servers.geo;
  for (const [place, server] of [first, ...further].entries()) {
    const isHere = ({ id }: Reply) => id % DATABASES === place;
    const ids = others.filter(isHere).map(({ id }) => id);
    await copyChunks(server, driven.find(isHere)?.id, ids);
  }
});

afterAll(async () => {
  await workers?.stop();
  await installation?.remove();
});

test.runIf(IS_CAMPAIGN)(
  "rule/try and zone/visit/list read days of a hundred trackers within the memory of an isolate",
  async () => {
    const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
    const { id: zone_id } = await account.must("/zone/create", { zone });
    const rule = { type: "inoutzone", name: "Gate", zone_ids: [zone_id] };
    const memory = await memoryOf("fleet-geo", installation.inspectorPort);
    // An offset that leaves the crossings of the last trackers alone.
    const crossings = (TRACKERS - 3) * Math.floor(stored / DATABASES / 10);
    for (const [path, given] of [
      ["/tracker/rule/try", { rule, offset: crossings }],
      ["/zone/visit/list", { zone_id, offset: Math.floor(crossings / 2) }],
    ] as const) {
      let isOver = false;
      const asked = account.must(path, { ...given, trackers, ...RANGE }).finally(() => {
        isOver = true;
      });
      let most = 0;
      while (!isOver) most = Math.max(most, await memory.bytes());
      const { list } = await asked;
      expect(trackers.indexOf(list[0]?.tracker_id), path).toBeGreaterThan(TRACKERS - 5);
      expect(most, path).toBeLessThan(MAX_BYTES);
    }
    memory.close();
  },
);
