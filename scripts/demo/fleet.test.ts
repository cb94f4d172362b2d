import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { type Account, newAccount, type Reply } from "#test/tool/call/account.ts";
import { newDataFolder } from "#test/tool/system/data-folder.ts";
import { stack } from "#test/tool/system/stack.ts";
import { waitUntil } from "#test/tool/wait.ts";
import { Circuit, dayOf, startOfDay, ZONE } from "./drive/circuit.ts";
import { readDrives } from "./drive/drives.ts";
import { VEHICLES } from "./drive/vehicles.ts";
import { DemoFleet } from "./fleet.ts";
import { readProgress, saveProgress } from "./progress.ts";

/** Numbers of things in the account once the fleet is complete, by the operation that lists them. */
const COUNTS = {
  "/tracker/list": 12,
  "/vehicle/list": 12,
  "/employee/list": 12,
  "/department/list": 3,
  "/tracker/group/list": 3,
  "/tag/list": 4,
  "/garage/list": 2,
  "/zone/list": 6,
  "/place/list": 9,
  "/tracker/rule/list": 8,
  "/form/template/list": 2,
  "/task/list": 20,
  "/checkin/list": 8,
  "/report/tracker/list": 1,
};
const PASSWORD = "secret123";

let account: Account;
let folder: string;
let file: string;
let now: number;

beforeAll(async () => {
  account = await newAccount({ time_zone: ZONE, password: PASSWORD });
  folder = await newDataFolder("demo");
  file = join(folder, "demo.json");
  now = systemNow();
  await saveProgress(file, { ...(await readProgress(file, dayOf(now))), login: account.login, password: PASSWORD });
  await (await openFleet()).advance();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("the demo fleet has vehicles, people, areas, rules, tasks, check-ins and a report", async () => {
  expect(await readCounts()).toEqual(COUNTS);
  const { list: checkins } = await account.must("/checkin/list");
  const photos = checkins.flatMap(({ files }: Reply) => files);
  expect(photos).toHaveLength(5);
  expect(photos.every(({ state }: Reply) => state === "uploaded")).toBe(true);
});

test("the demo fleet's trackers stand where their circuits are, and rules have events of the past", async () => {
  const drives = await readDrives();
  const { list } = await account.must("/tracker/list");
  const trackers = list.map(({ id }: Reply) => id);
  const { states } = await account.must("/tracker/get_states", { trackers, iso_datetime: true });
  for (const { id, label } of list) {
    const vehicle = VEHICLES.find((one) => one.label === label);
    const { gps } = states[id];
    const at = vehicle && new Circuit(vehicle, drives).motionAt(Date.parse(gps.updated));
    expect(gps.location.lat, label).toBeCloseTo(at?.lat ?? 0, 4);
    expect(gps.location.lng, label).toBeCloseTo(at?.lng ?? 0, 4);
  }
  const range = { from: isoOf(now - DAY_MS), to: isoOf(now + HOUR_MS), iso_datetime: true };
  await waitUntil(
    "a vehicle has been at a zone of a rule",
    () => account.must("/history/user/list", { ...range, limit: 1000 }),
    ({ list: events }) => events.some(({ event }: Reply) => event === "inzone"),
  );
});

test("the demo fleet is complete after an interrupted start, and later starts add nothing twice", async () => {
  const progress = await readProgress(file, dayOf(now));
  // A start that ended before it could note more than the devices.
  await saveProgress(file, { ...progress, seeded: undefined, filled: [], task_day: undefined });
  await (await openFleet()).advance();
  await (await openFleet()).advance();
  expect(await readCounts()).toEqual(COUNTS);
});

test.each([
  ["when a day begins", 0],
  ["ten minutes before it ends", DAY_MS - 10 * MINUTE_MS],
])("the demo fleet gets twenty tasks more %s, and at the next start none", async (_, sinceMidnight) => {
  const tomorrow = startOfDay(now + DAY_MS + HOUR_MS);
  const read = async () => {
    const { list } = await account.must("/task/list");
    return list.flatMap(({ id, external_id }: Reply) => (external_id.includes(dayOf(tomorrow)) ? id : []));
  };
  await (await openFleet()).createTasks(() => tomorrow + sinceMidnight);
  const made = await read();
  expect(made).toHaveLength(20);
  await (await openFleet()).createTasks(() => tomorrow + sinceMidnight);
  expect(await read()).toEqual(made);
  for (const task_id of made) await account.must("/task/delete", { task_id });
});

async function openFleet() {
  const progress = await readProgress(file, dayOf(now));
  const pause = async () => {};
  return DemoFleet.open({
    baseUrl: stack.baseUrl,
    file,
    progress,
    now: () => now,
    pause,
    since: threeHoursOfDriving(),
  });
}

/** When the history begins: shortly after midnight it needs the last hours of work of the day before. */
function threeHoursOfDriving(): number {
  return now - startOfDay(now) > 3 * HOUR_MS ? now - 3 * HOUR_MS : startOfDay(now, 1) + 13 * HOUR_MS;
}

async function readCounts() {
  const counts: Record<string, number> = {};
  for (const path of Object.keys(COUNTS)) counts[path] = (await account.must(path)).list.length;
  return counts;
}

function isoOf(time: number) {
  return new Date(time).toISOString();
}
