import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, newAccount, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { leg, MIDNIGHT, sectionsOf, sendAll, textRows } from "../tool/report/report.ts";
import { stack } from "../tool/system/stack.ts";

const EIGHT = MIDNIGHT + 8 * HOUR_MS;
const START = { lat: 50, lng: 8 };
let account: Account;
let tracker: Reply;

/** Makes a tracker that leaves a depot within a yard, drives north for ten minutes, and stands. */
beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  tracker = await account.newTracker();
  const place = { label: "Depot", location: { ...START, address: "", radius: 100 } };
  await account.must("/place/create", { place });
  const corners = [49.99, 50.01, 50.01, 49.99].map((lat, index) => ({ lat, lng: index < 2 ? 7.99 : 8.01 }));
  await account.must("/zone/create", { zone: { type: "polygon", label: "Yard", points: corners } });
  await account.must("/zone/create", {
    zone: { type: "circle", label: "Far", center: { lat: 51, lng: 8 }, radius: 100 },
  });
  await sendAll(tracker.source.device_id, [
    ...leg({ start: EIGHT, minutes: 10, speed: 90 }),
    ...leg({ start: EIGHT + 10 * MINUTE_MS + 10_000, minutes: 10, lat: 50.135 }),
  ]);
  const event = {
    event_id: randomUUID(),
    account_id: account.id,
    tracker_id: tracker.id,
    event: "sos",
    message: "Help",
    time: EIGHT,
    location: START,
    address: "Dock Road 1",
  };
  await stack.storeEvents([event] as Parameters<typeof stack.storeEvents>[0]);
});

const report = (plugin: object, parameters: object = {}) => sectionsOf(account, tracker.id, plugin, parameters);

test("addresses in reports begin with the places and zones that they are in, as far as the caller wants those", async () => {
  const ends = async (parameters: object = {}) => {
    const [row] = textRows((await report({ plugin_id: 4 }, parameters))[0]);
    return [row?.from, row?.to].map((text) => text?.slice(8));
  };
  const [from, to] = await ends({ include_places_in_address: false, include_zones_in_address: false });
  expect(from).not.toContain("[");
  expect(await ends()).toEqual([`[Depot, Yard] ${from}`, to]);
  expect(await ends({ include_places_in_address: false })).toEqual([`[Yard] ${from}`, to]);
  expect(await ends({ include_zones_in_address: false })).toEqual([`[Depot] ${from}`, to]);
});

test("addresses begin with their zones also in an account with more than a thousand zones", async () => {
  const features = Array.from({ length: 1001 }, (_, index) => square(-60 + index / 10));
  const file = new File([JSON.stringify({ type: "FeatureCollection", features })], "zones.geojson");
  const other = await newAccount({ time_zone: "UTC" });
  const { id, source } = await other.newTracker();
  await other.must("/zone/upload", { file, dry_run: false });
  await sendAll(source.device_id, [
    ...leg({ start: EIGHT, minutes: 10, speed: 90 }),
    ...leg({ start: EIGHT + 10 * MINUTE_MS + 10_000, minutes: 10, lat: 50.135 }),
  ]);
  const [row] = textRows((await sectionsOf(other, id, { plugin_id: 4 }))[0]);
  expect(row?.from).toContain(" - [Zone at 8] ");
  expect(row?.to).not.toContain("[");
});

/** Around a place at 50° north. */
function square(lng: number) {
  const [west, east] = [lng - 0.01, lng + 0.01];
  const ring = [
    [west, 49.99],
    [east, 49.99],
    [east, 50.01],
    [west, 50.01],
    [west, 49.99],
  ];
  const name = `Zone at ${Math.round(lng * 10) / 10}`;
  return { type: "Feature", properties: { name }, geometry: { type: "Polygon", coordinates: [ring] } };
}

test("addresses of events and of speeding points begin with their places and zones", async () => {
  const [events] = await report({ plugin_id: 11, event_types: ["sos"] });
  expect(textRows(events)).toMatchObject([{ address: "[Depot, Yard] Dock Road 1" }]);
  const [speeding] = await report({ plugin_id: 27, max_speed: 80 });
  expect(textRows(speeding)[0]?.address).toMatch(/^\[Depot, Yard\] /);
});

test("tasks and check-ins show the places and zones that they are in, where the report asks for it", async () => {
  const times = { from: writeUtc(systemNow()), to: writeUtc(systemNow() + HOUR_MS) };
  const location = { ...START, address: "Dock Road 1" };
  const task = {
    label: "Deliver",
    description: "Ring",
    location: { ...location, radius: 100 },
    tracker_id: tracker.id,
    ...times,
  };
  await account.must("/task/create", { task });
  await account.must("/checkin/create", { tracker_id: tracker.id, location, comment: "Here" });
  const range = { from: writeUtc(systemNow() - HOUR_MS), to: times.to };
  for (const plugin_id of [42, 80]) {
    const [plain] = await report({ plugin_id }, { ...range, include_places_in_address: false });
    expect(textRows(plain)[0]?.areas).toBeUndefined();
    expect(textRows(plain)).toMatchObject([{ address: "[Yard] Dock Road 1" }]);
    const [shown] = await report({ plugin_id, show_places_and_zones: true }, range);
    expect(textRows(shown)).toMatchObject([{ areas: "Depot, Yard" }]);
  }
});
