import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn, call, must, type Reply } from "../tool/call/account.ts";
import { DECLARED } from "../tool/call/declared.ts";
import { pointsOfADrive } from "../tool/sample/drive.ts";
import { SAMPLES } from "../tool/sample/index.ts";
import { daysAgo, RANGE } from "../tool/sample/range.ts";
import type { World } from "../tool/sample/sample.ts";
import { newWorld } from "../tool/sample/world.ts";
import { stack } from "../tool/system/stack.ts";
import { waitUntil } from "../tool/wait.ts";

/** Operations with a range that show no positions or reports of trackers. */
const OF_NO_TRACKER = [
  "/user/audit/log/list",
  "/task/list",
  "/task/route/list",
  "/task/schedule/proposal/list",
  // Events of the account: each attempt of a delivery checks what its user may see.
  "/webhook/delivery/list",
  "/webhook/delivery/replay",
];
/** Operations with tests of their own: their answers show nothing, only the present, or a shorter range. */
const APART = ["/report/tracker/generate", "/checkin/list", "/track/visit/list"];

/** Every operation that can be asked for the past. */
const OF_THE_PAST = [...DECLARED.values()]
  .filter(({ path, input }) => "from" in input.shape && ![...OF_NO_TRACKER, ...APART].includes(path))
  .map(({ path }) => path);

let account: Account;
let world: World;
/** A sub-user who sees the tracker, a day back; and one who sees it as far as the tariff goes. */
let [short, long]: string[] = [];

beforeAll(async () => {
  const drive = pointsOfADrive(100).map((point) => ({
    ...point,
    inputs: [true],
    attributes: { ext_temp_sensor_1: 4 },
  }));
  ({ account, world } = await newWorld(accountsOn(stack), drive));
  const { tracker_id } = world;
  await stack.storeEvents([
    {
      event_id: randomUUID(),
      account_id: account.id,
      tracker_id,
      event: "inzone",
      time: systemNow() - 3 * DAY_MS,
      message: "Arrived at the depot",
      location: { lat: 40, lng: 8 },
    },
  ]);
  await account.must("/tracker/counter/value/set", { tracker_id, type: "fuel_consumed", value: 1 });
  [short, long] = [await newClerk({ store_period: "1d" }), await newClerk({})];
});

async function newClerk(privileges: object) {
  const group = { label: "Clerks", privileges: { rights: ["vehicle_update", "reports"], ...privileges } };
  const { id: security_group_id } = await account.must("/subuser/security_group/create", { group });
  const login = `${randomUUID()}@example.com`;
  const user = { login, activated: true, legal_type: "individual", first_name: "Bo", security_group_id };
  const { id: subuser_id } = await account.must("/subuser/register", { user, password: "secret123" });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [world.tracker_id] });
  await account.must("/subuser/zones/bind", { subuser_id, access_to_all: true });
  return String((await must("/user/auth", { login, password: "secret123" })).hash);
}

/** The calls of an operation's samples, with a range from four days ago. */
const callsOf = (path: string) => [
  ...(ASKED[path] ? [{ ...ASKED[path](), ...RANGE }] : []),
  ...(ASKED[path] ? [] : (SAMPLES[path] ?? [])).map(({ parameters }) => ({ ...parameters(world, account), ...RANGE })),
];

/** Calls with things that a sub-user does not see by itself. */
const ASKED: Record<string, () => object> = {
  "/tracker/rule/try": () => ({
    rule: { type: "speedup", name: "Fast", primary_text: "Too fast", param: 1 },
    trackers: [world.tracker_id],
  }),
  "/zone/visit/list": () => ({
    zone: { type: "circle", center: { lat: 40, lng: 8 }, radius: 300_000 },
    trackers: [world.tracker_id],
  }),
};

/** The reply as text, in which documents have their characters side by side. */
const shown = (reply: Reply) => (reply.file ?? JSON.stringify(reply)).replaceAll("\0", "");

/** Days from before the group's storage period, of which there are points, events and entries. */
const OLD = [daysAgo(3), daysAgo(2.9), daysAgo(2), daysAgo(1.9)].map((text) => text.slice(0, 10));
const showsOld = (reply: Reply) => {
  const withoutDays = shown(reply).replace(/"\d{4}-\d\d-\d\d":null/g, "");
  return OLD.some((day) => withoutDays.includes(day)) || /"lat":40\.|Depot|depot/.test(withoutDays);
};

describe.each(OF_THE_PAST)("operation %s", (path) => {
  test("a sub-user is shown nothing from before its group's storage period, and another sub-user all that there is", async () => {
    const calls = callsOf(path);
    expect(calls.length, "there is a sample").toBeGreaterThan(0);
    const differ: boolean[] = [];
    // One after the other, as an account has few documents made at a time.
    for (const parameters of calls) {
      const [cut, whole] = [
        await call(path, { hash: short, ...parameters }),
        await call(path, { hash: long, ...parameters }),
      ];
      expect(cut, JSON.stringify(parameters)).toMatchObject({ success: true });
      expect(whole, JSON.stringify(parameters)).toMatchObject({ success: true });
      expect(showsOld(cut), shown(cut).slice(0, 1000)).toBe(false);
      differ.push(shown(cut) !== shown(whole));
    }
    expect(differ).toContain(true);
  });
});

test("visits show a sub-user nothing from before its group's storage period", async () => {
  const { tracker_id } = world;
  const zone = { type: "circle", label: "County", center: { lat: 40, lng: 8 }, radius: 300_000 };
  const { id } = await account.must("/zone/create", { zone });
  const visited = async (hash: string | undefined) => {
    const windows = [4, 3, 2].map((days) => ({ from: daysAgo(days), to: daysAgo(days - 1) }));
    const asked = windows.map((range) => must("/track/visit/list", { hash, tracker_id, ...range }));
    return (await Promise.all(asked)).flatMap(({ value }) => value.zones);
  };
  expect(await visited(long)).toContain(id);
  expect(await visited(short)).toEqual([]);
});

test("a report shows a sub-user nothing from before its group's storage period", async () => {
  const { tracker_id } = world;
  const reportFor = async (hash: string | undefined, plugin: object) => {
    const { id: report_id } = await must("/report/tracker/generate", {
      hash,
      trackers: [tracker_id],
      ...RANGE,
      plugin,
    });
    return waitUntil("the report is finished", () => must("/report/tracker/retrieve", { hash, report_id }));
  };
  const rowsOf = ({ report }: Reply) => report.sheets[0].sections[0].data.length;
  for (const plugin of [
    { plugin_id: 4, filter: false },
    { plugin_id: 7 },
    { plugin_id: 11, event_types: ["inzone"] },
    { plugin_id: 27, max_speed: 10, filter: false },
  ]) {
    const rows = [rowsOf(await reportFor(short, plugin)), rowsOf(await reportFor(long, plugin))];
    expect(rows, String(plugin.plugin_id)).toEqual([0, 1]);
  }
});

test("events and journal entries from before a sub-user's storage period answer as unknown ones", async () => {
  const { list } = await account.must("/history/user/list", { ...RANGE, add_tracker_label: false });
  const old = list.find(({ message }: Reply) => message === "Arrived at the depot").id;
  const as = async (hash: string | undefined, path: string, given: object) =>
    (await call(path, { hash, ...given })).status?.code;
  expect(await as(short, "/history/read", { id: old })).toBe(201);
  expect(await as(short, "/history/mark_read", { id: old })).toBe(201);
  await must("/history/mark_read_all", { hash: short });
  expect((await account.must("/history/read", { id: old })).value.is_read).toBe(false);
  expect(await as(long, "/history/read", { id: old })).toBeUndefined();

  const { entry_id } = world;
  expect((await must("/driver/journal/entry/list", { hash: short, entry_ids: [entry_id] })).list).toEqual([]);
  expect(await as(short, "/driver/journal/entry/update", { entry: { id: entry_id, type: "other" } })).toBe(204);
  expect(await as(short, "/driver/journal/entry/delete", { entry_ids: [entry_id] })).toBe(217);
  expect((await must("/driver/journal/entry/list", { hash: long, entry_ids: [entry_id] })).list).toHaveLength(1);
});

test("the tariff's storage period counts for counters and proposals, not for events and entries", async () => {
  const accounts = accountsOn(stack);
  const own = await newWorld(accounts);
  const { tracker_id } = own.world;
  const listed = async (path: string, given: object) => (await own.account.must(path, { ...given, ...RANGE })).list;
  const asked = async () => ({
    counted: await listed("/tracker/counter/data/read", { tracker_id, type: "odometer" }),
    proposed: await listed("/driver/journal/proposal/list", { tracker_id }),
    entered: await listed("/driver/journal/entry/list", { tracker_id }),
    happened: await listed("/history/user/list", {}),
  });
  const before = await asked();
  for (const [kind, list] of Object.entries(before)) expect(list.length, kind).toBeGreaterThan(0);
  await own.account.changeTariff({ store_period: "1h" });
  const after = await asked();
  expect(after).toMatchObject({ counted: [], proposed: [], entered: before.entered });
  // An event of the sample world may arrive meanwhile.
  expect(after.happened).toEqual(expect.arrayContaining(before.happened));
});
