import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { feed, newAccount, UNKNOWN_ID } from "../../../../../test/tool/call/account.ts";

const VISITS = "/track/visit/list";
const START = Math.floor(systemNow() / 1000) * 1000 - 10 * HOUR_MS;

test("track/visit/list gives the zones and places that hold a point of the range, and no others", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const circle = (lng: number) => ({ type: "circle", label: "Depot", center: { lat: 50, lng }, radius: 300 });
  const square = [
    { lat: 49.9, lng: 8.9 },
    { lat: 50.1, lng: 8.9 },
    { lat: 50.1, lng: 9.1 },
    { lat: 49.9, lng: 9.1 },
  ];
  const zoneOf = async (zone: object) => (await account.must("/zone/create", { zone })).id;
  const inside = await zoneOf(circle(8));
  const around = await zoneOf({ type: "polygon", label: "Yard", points: square });
  const road = await zoneOf({ type: "sausage", label: "Road", radius: 200, points: square.slice(0, 3) });
  await zoneOf(circle(8.5));
  const later = await zoneOf(circle(10));
  const place = (lng: number) => ({ label: "Shop", location: { lat: 50, lng, address: "", radius: 100 } });
  const { id: shop } = await account.must("/place/create", { place: place(9) });
  await account.must("/place/create", { place: place(9.5) });
  await feed(device_id, [at(0, 8), at(10, 9), at(600, 10)]);
  const listed = async (more: object = {}) => {
    const range = { from: writeTime(START), to: writeTime(START + HOUR_MS) };
    return (await account.must(VISITS, { tracker_id, ...range, ...more })).value;
  };
  expect(await listed()).toEqual({ zones: [inside, around], places: [shop] });
  expect(await listed({ include_zones: false })).toEqual({ zones: [], places: [shop] });
  expect(await listed({ include_places: false })).toEqual({ zones: [inside, around], places: [] });
  const night = { from: writeTime(START + HOUR_MS), to: writeTime(START + 11 * HOUR_MS) };
  expect(await listed(night)).toEqual({ zones: [later], places: [] });
  expect(await listed({ from: writeTime(START + 2 * HOUR_MS), to: writeTime(START + 3 * HOUR_MS) })).toEqual({
    zones: [],
    places: [],
  });
  expect([inside, around, later]).not.toContain(road);
});

test("track/visit/list takes a range of 26 hours, and refuses a longer one with the maximum (211)", async () => {
  const { account, tracker_id } = await newTracker();
  const from = writeTime(START - 26 * HOUR_MS);
  expect((await account.must(VISITS, { tracker_id, from, to: writeTime(START) })).value.zones).toEqual([]);
  const reply = await account.call(VISITS, { tracker_id, from, to: writeTime(START + 1000) });
  expect(reply).toMatchObject({ status: { code: 211 }, max_time_span: "P1DT2H" });
});

test("track/visit/list answers 204 to unknown and foreign trackers, and 208 to a blocked one", async () => {
  const [{ account, tracker_id }, rival] = [await newTracker(), await newTracker()];
  const codeOf = async (id: number) => {
    const range = { from: writeTime(START), to: writeTime(START + HOUR_MS) };
    return (await account.call(VISITS, { tracker_id: id, ...range })).status?.code;
  };
  expect(await codeOf(UNKNOWN_ID)).toBe(204);
  expect(await codeOf(rival.tracker_id)).toBe(204);
  await account.block(tracker_id);
  expect(await codeOf(tracker_id)).toBe(208);
});

async function newTracker() {
  const account = await newAccount({ time_zone: "UTC" });
  const { id, source } = await account.newTracker();
  return { account, tracker_id: Number(id), device_id: source.device_id };
}

function at(minute: number, lng: number) {
  return { time: START + minute * MINUTE_MS, lat: 50, lng };
}

function writeTime(ms: number) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
