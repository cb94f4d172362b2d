import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { feed, must, newAccount, UNKNOWN_ID } from "../../../../../test/tool/call/account.ts";

const POSITIONS = "/track/position/list";
const START = Math.floor(systemNow() / 1000) * 1000 - 10 * HOUR_MS;

test("track/position/list gives the last point of each tracker up to the moment, and whether it was driving", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const [van, truck, silent] = [await account.newTracker(), await account.newTracker(), await account.newTracker()];
  // Twenty minutes of driving, then an hour at the same place.
  const drive = Array.from({ length: 41 }, (_, step) => point(step / 2, 8 + step / 100, 60));
  await feed(van.source.device_id, [...drive, point(21, 8.4, 0), point(80, 8.4, 0)]);
  await feed(truck.source.device_id, [point(0, 9, 0)]);
  const trackers = [van.id, truck.id, silent.id];
  const listed = async (minute: number) =>
    (await account.must(POSITIONS, { trackers, time: writeTime(START + minute * MINUTE_MS) })).list;
  const stands = { movement_status: "parked", gsm_lbs: false };
  expect(await listed(-1)).toEqual([]);
  expect(await listed(10.25)).toMatchObject([
    { tracker_id: van.id, lat: 50, lng: 8.2, get_time: writeTime(START + 10 * MINUTE_MS), movement_status: "moving" },
    { tracker_id: truck.id, lng: 9, get_time: writeTime(START), speed: 0, ...stands },
  ]);
  expect(await listed(60)).toMatchObject([
    { tracker_id: van.id, lng: 8.4, get_time: writeTime(START + 21 * MINUTE_MS), ...stands },
    { tracker_id: truck.id },
  ]);
});

test("track/position/list answers 217 to unknown, foreign and blocked trackers", async () => {
  const [account, rival] = [await newAccount(), await newAccount()];
  const [{ id }, foreign] = [await account.newTracker(), await rival.newTracker()];
  const codeOf = async (other: number) =>
    (await account.call(POSITIONS, { trackers: [id, other], time: writeTime(START) })).status?.code;
  expect([await codeOf(UNKNOWN_ID), await codeOf(foreign.id)]).toEqual([217, 217]);
  await account.block(id);
  expect(await codeOf(id)).toBe(217);
});

test("track/position/list shows nothing from before the storage period, also not through a later moment", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const { id, source } = await account.newTracker();
  await feed(source.device_id, [{ ...point(0, 8, 0), time: START - 2 * DAY_MS }]);
  const group = { label: "Clerks", privileges: { rights: [], store_period: "1d" } };
  const { id: security_group_id } = await account.must("/subuser/security_group/create", { group });
  const login = `${randomUUID()}@example.com`;
  const user = { login, activated: true, legal_type: "individual", first_name: "Bo", security_group_id };
  const { id: subuser_id } = await account.must("/subuser/register", { user, password: "secret123" });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [id] });
  const { hash } = await must("/user/auth", { login, password: "secret123" });
  const at = async (days: number) => must(POSITIONS, { hash, trackers: [id], time: writeTime(START - days * DAY_MS) });
  expect(await at(3)).toMatchObject({ limit_exceeded: true, list: [] });
  expect(await at(0)).toMatchObject({ limit_exceeded: false, list: [] });
  const { list } = await account.must(POSITIONS, { trackers: [id], time: writeTime(START) });
  expect(list).toMatchObject([{ tracker_id: id, lng: 8 }]);
});

function point(minute: number, lng: number, speed: number) {
  return { time: START + minute * MINUTE_MS, lat: 50, lng, speed, satellites: 9 };
}

function writeTime(ms: number) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
