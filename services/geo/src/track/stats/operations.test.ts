import { beforeAll, expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import {
  type Account,
  feed,
  must,
  newAccount,
  operatorHash,
  type Reply,
  UNKNOWN_ID,
} from "../../../../../test/tool/call/account.ts";

/** Degrees of latitude in a kilometer, at 50 degrees north. */
const KILOMETER = 1 / 111.229;
/** Midnight in Berlin, five days ago. */
const midnight = Math.floor(systemNow() / DAY_MS - 5) * DAY_MS - berlinOffset();

let account: Account;
let tracker: Reply;

/** A kilometer per minute from 22:00 to 02:00, with the ignition on in the first of every three minutes. */
beforeAll(async () => {
  account = await newAccount({ time_zone: "Europe/Berlin" });
  tracker = await account.newTracker();
  const points = Array.from({ length: 240 }, (_, index) => ({
    ...{ time: midnight - 2 * HOUR_MS + index * MINUTE_MS, lat: 50 + index * KILOMETER, lng: 8 },
    inputs: [index % 3 === 0],
  }));
  await feed(tracker.source.device_id, points);
});

test("tracker/stats/mileage/read gives the mileage of the caller's days, and null for a day without points", async () => {
  const range = { from: writeTime(midnight - DAY_MS), to: writeTime(midnight + 2 * DAY_MS - 1000) };
  const { result, limit_exceeded } = await account.must("/tracker/stats/mileage/read", {
    trackers: [tracker.id],
    ...range,
  });
  expect(limit_exceeded).toBe(false);
  const days = result[tracker.id];
  expect(Object.keys(days)).toEqual([-1, 0, 1].map((day) => writeTime(midnight + day * DAY_MS + HOUR_MS).slice(0, 10)));
  const [first, second, third] = Object.values<Reply>(days);
  expect(first.mileage).toBeCloseTo(119, 0);
  expect(second.mileage).toBeCloseTo(120, 0);
  expect(third).toBeNull();
});

test("tracker/stats/engine_hours/read is exact to the point, for any part of an hour", async () => {
  const ask = (from: number, to: number) =>
    account.must("/tracker/stats/engine_hours/read", {
      tracker_id: tracker.id,
      from: writeTime(from),
      to: writeTime(to),
    });
  const start = midnight - 2 * HOUR_MS;
  expect((await ask(start - HOUR_MS, start + DAY_MS)).value).toBeCloseTo(80 / 60, 5);
  // Half an hour that starts in the middle of an hour, with the ignition on for a third of it.
  expect((await ask(start + 6 * MINUTE_MS, start + 36 * MINUTE_MS)).value).toBeCloseTo(10 / 60, 5);
  expect((await ask(start + 7 * MINUTE_MS, start + 9 * MINUTE_MS)).value).toBeCloseTo(0, 5);
});

test("tracker/stats calls take 31 days and 128 usable trackers at most; engine hours need an ignition and no clone", async () => {
  const mileage = (trackers: number[], days = 1, more = 0) => {
    const range = { from: writeTime(midnight), to: writeTime(midnight + days * DAY_MS + more) };
    return account.call("/tracker/stats/mileage/read", { trackers, ...range });
  };
  const hours = (tracker_id: number, days = 1, caller = account, more = 0) => {
    const range = { from: writeTime(midnight), to: writeTime(midnight + days * DAY_MS + more) };
    return caller.call("/tracker/stats/engine_hours/read", { tracker_id, ...range });
  };
  const many = Array.from({ length: 129 }, (_, index) => UNKNOWN_ID - index);
  expect((await mileage(many)).status.code).toBe(221);
  expect((await mileage(many.slice(1))).status.code).toBe(217);
  // Two hours of margin, because a change of summer time makes 31 days an hour longer or shorter.
  expect((await mileage([tracker.id], 31, -2 * HOUR_MS)).success).toBe(true);
  expect((await mileage([tracker.id], 31, 2 * HOUR_MS)).status.code).toBe(211);
  expect((await hours(tracker.id, 31, account, 2 * HOUR_MS)).status.code).toBe(211);
  expect((await hours(UNKNOWN_ID)).status.code).toBe(204);
  const app = await account.must("/tracker/register", { label: "App", model: "mobile_app", plugin_id: 35 });
  expect((await hours(app.value.id)).status.code).toBe(214);
  const [viewer, hash] = [await newAccount(), await operatorHash()];
  const given = { hash, tracker_id: tracker.id, user_id: viewer.id, label: "Clone" };
  const { id: clone } = await must("/panel/tracker/clone", given);
  expect((await hours(clone, 1, viewer)).status.code).toBe(219);
  await must("/panel/tracker/source/update", { hash, tracker_id: tracker.id, blocked: true });
  expect((await hours(tracker.id)).status.code).toBe(208);
  expect((await mileage([tracker.id])).status.code).toBe(217);
  await must("/panel/tracker/source/update", { hash, tracker_id: tracker.id, blocked: false });
});

function writeTime(ms: number) {
  const local = new Date(ms).toLocaleString("sv-SE", { timeZone: "Europe/Berlin" });
  return local.slice(0, 19);
}

function berlinOffset() {
  const noon = Math.floor(systemNow() / DAY_MS - 5) * DAY_MS + 12 * HOUR_MS;
  const hour = Number(new Date(noon).toLocaleString("en-GB", { timeZone: "Europe/Berlin", hour: "2-digit" }));
  return (hour - 12) * HOUR_MS;
}
