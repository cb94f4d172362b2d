import { unzipSync } from "fflate";
import { expect, test, vi } from "vitest";
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
} from "../../../../test/tool/call/account.ts";
import { validateKml } from "../../../../test/tool/document/kml-schema.ts";
import { stack } from "../../../../test/tool/system/stack.ts";

/** Two days ago at midnight UTC. */
const MIDNIGHT = Math.floor(systemNow() / DAY_MS - 2) * DAY_MS;
const MORNING = MIDNIGHT + 8 * HOUR_MS;
const RANGE = { from: writeTime(MIDNIGHT), to: writeTime(MIDNIGHT + DAY_MS - 1000) };
const CALLS = ["/track/list", "/track/read", "/track/download"];
/** Degrees of latitude in ten seconds at 36 km/h: 100 m. */
const STEP = 0.0009;

test("track/list counts events on the tracks in which they happened, and all of them on a merged track", async () => {
  const { account, tracker } = await newFeed();
  const rule = { type: "speedup", name: "Speed", param: 30, trackers: [tracker.id] };
  await account.must("/tracker/rule/create", { rule });
  const now = Math.floor(systemNow() / 1000) * 1000 - HOUR_MS;
  await feed(tracker.source.device_id, [
    ...[still(now - HOUR_MS - 60_000), ...drive(now - HOUR_MS, 61)],
    ...[still(now - 10 * MINUTE_MS), ...drive(now, 61, 50.1)],
  ]);
  const range = { from: writeTime(now - 2 * HOUR_MS), to: writeTime(now + HOUR_MS) };
  const listTracks = async (more: object) =>
    (await account.must("/track/list", { tracker_id: tracker.id, ...range, count_events: true, ...more })).list;
  await vi.waitFor(
    async () => {
      expect((await listTracks({})).map(({ event_count }: Reply) => event_count)).toEqual([1, 1]);
    },
    { timeout: 120_000, interval: 200 },
  );
  expect((await listTracks({ split: false }))[0].event_count).toBe(2);
});

test("track/list gives a day's drives and their totals", async () => {
  const { account, tracker } = await newFeed();
  await account.must("/vehicle/create", {
    vehicle: { label: "Van", tracker_id: tracker.id, norm_avg_fuel_consumption: 10 },
  });
  await feed(tracker.source.device_id, [...drive(MORNING, 61), ...drive(MORNING + 2 * HOUR_MS, 121, 50.1)]);
  const reply = await account.must("/track/list", { tracker_id: tracker.id, ...RANGE, count_events: true });
  expect(reply).toEqual({
    success: true,
    limit_exceeded: false,
    list: [
      {
        type: "regular",
        id: expect.any(Number),
        start_date: writeTime(MORNING),
        start_address: "Wiesbaden (20 km), Hesse, Germany",
        max_speed: 36,
        end_date: writeTime(MORNING + 10 * MINUTE_MS),
        end_address: "Wiesbaden (18 km), Hesse, Germany",
        length: expect.closeTo(6, 1),
        points: 61,
        avg_speed: 36,
        event_count: 0,
        norm_fuel_consumed: expect.closeTo(0.6, 1),
        gsm_lbs: false,
        bounds: { nw: { lat: 50.054, lng: 8 }, se: { lat: 50, lng: 8 } },
      },
      expect.objectContaining({ type: "regular", start_date: writeTime(MORNING + 2 * HOUR_MS), points: 121 }),
    ],
    total: {
      count: 2,
      length: expect.closeTo(18, 1),
      trip_duration: "PT30M",
      parking_duration: "PT23H29M59S",
      norm_fuel_consumed: expect.closeTo(1.8, 1),
    },
  });
});

test("track/list leaves consumption out without a vehicle, and events and points unless asked for", async () => {
  const { list, total } = await listTracks(await newFeed(drive(MORNING, 61)));
  expect(list).toHaveLength(1);
  for (const name of ["norm_fuel_consumed", "event_count", "points_list"]) expect(list[0]).not.toHaveProperty(name);
  expect(total).not.toHaveProperty("norm_fuel_consumed");
});

test("track/list, track/read and track/download are empty for a tracker without points", async () => {
  const { account, tracker } = await newFeed();
  const parameters = { tracker_id: tracker.id, ...RANGE };
  expect(await account.must("/track/list", parameters)).toMatchObject({ limit_exceeded: false, list: [] });
  expect((await account.must("/track/list", { ...parameters, split: false })).list).toEqual([]);
  expect((await account.must("/track/read", parameters)).list).toEqual([]);
  validateKml((await download(account, parameters)).text());
});

test("track/list with the filter drops short drives alone", async () => {
  const van = await newFeed([...drive(MORNING, 3), ...drive(MORNING + HOUR_MS, 61), reportAt(MORNING + 5 * HOUR_MS)]);
  expect(typesOf(await listTracks(van))).toEqual(["regular", "single_report"]);
  expect(typesOf(await listTracks(van, { filter: false }))).toEqual(["regular", "regular", "single_report"]);
});

test("track/list without split gives all drives as one track without an id", async () => {
  const van = await newFeed([...drive(MORNING, 61), ...drive(MORNING + 2 * HOUR_MS, 61, 50.1)]);
  const { list, total } = await listTracks(van, { split: false, with_points: true });
  expect(list).toHaveLength(1);
  expect(list[0]).toMatchObject({ type: "merged", points: 122, start_date: writeTime(MORNING) });
  expect(list[0]).not.toHaveProperty("id");
  expect(list[0].points_list).toHaveLength(122);
  expect(total.count).toBe(1);
});

test("track/list gives lone reports as tracks of their own, and close ones as a cluster", async () => {
  const times = [1, 2, 3, 4].map((hour) => MORNING + hour * HOUR_MS);
  const places = [50, 50.0008, 50.02, 50.0201];
  const van = await newFeed(times.map((time, index) => reportAt(time, places[index])));
  const { list } = await listTracks(van, { with_points: true });
  expect(list[0]).toEqual({
    type: "single_report",
    id: expect.any(Number),
    start_date: writeTime(times[0]),
    start_address: "Wiesbaden (20 km), Hesse, Germany",
    avg_speed: 40,
    gsm_lbs: false,
    precision: 20,
    points_list: [expect.objectContaining({ lat: 50, parking: false })],
  });
  const clustered = await listTracks(van, { cluster_single_reports: true });
  expect(typesOf(clustered)).toEqual(["cluster", "cluster"]);
  expect(clustered.list[0]).toEqual({
    type: "cluster",
    start_date: writeTime(times[0]),
    start_address: "Wiesbaden (20 km), Hesse, Germany",
    end_date: writeTime(times[1]),
    precision: 20,
    points: [
      { lat: 50, lng: 8 },
      { lat: 50.0008, lng: 8 },
    ],
    bounds: { nw: { lat: 50.0008, lng: 8 }, se: { lat: 50, lng: 8 } },
    gsm_lbs: false,
  });
});

test("track/list counts points of cell towers unless the caller excludes them", async () => {
  const towers = drive(MORNING, 61).map((point) => ({ ...point, gsm_lbs: true }));
  const mixed = drive(MORNING + 2 * HOUR_MS, 61).map((point, index) =>
    index === 30 ? { ...point, lng: 8.05, gsm_lbs: true } : point,
  );
  const van = await newFeed([...towers, ...mixed]);
  const all = await listTracks(van);
  expect(all.list).toMatchObject([
    { gsm_lbs: true, points: 61 },
    { gsm_lbs: false, points: 61 },
  ]);
  expect(all.list[1].bounds.se.lng).toBe(8.05);

  const { list } = await listTracks(van, { include_gsm_lbs: false, with_points: true });
  expect(list).toMatchObject([{ id: all.list[1].id, gsm_lbs: false, points: 60, length: expect.closeTo(6, 1) }]);
  expect(list[0].bounds.se.lng).toBe(8);
  expect(list[0].points_list).toHaveLength(60);
  const read = await van.account.must("/track/read", { tracker_id: van.tracker.id, ...RANGE, include_gsm_lbs: false });
  expect(read.list).toHaveLength(60);
});

test("track/list with points gives each track its own, up to the limit", async () => {
  const van = await newFeed([...drive(MORNING, 61), ...drive(MORNING + 2 * HOUR_MS, 91, 50.1)]);
  const { list } = await listTracks(van, { with_points: true });
  expect(list.map(({ points_list }: Reply) => points_list.length)).toEqual([61, 91]);
  expect(list[1].points_list[0]).toEqual({
    lat: 50.1,
    lng: 8,
    alt: 120,
    satellites: 11,
    mileage: expect.any(Number),
    get_time: writeTime(MORNING + 2 * HOUR_MS),
    address: "Wiesbaden (18 km), Hesse, Germany",
    heading: 0,
    speed: 36,
    precision: 5,
    gsm_lbs: false,
    parking: false,
    buffered: false,
  });
  const few = await listTracks(van, { with_points: true, point_limit: 2 });
  expect(few.list.map(({ points_list }: Reply) => points_list.length)).toEqual([2, 2]);
});

test("track/list gives a drive over the range's end whole", async () => {
  const van = await newFeed(drive(MIDNIGHT - 5 * MINUTE_MS, 61));
  const { list } = await listTracks(van);
  expect(list).toMatchObject([{ start_date: writeTime(MIDNIGHT - 5 * MINUTE_MS), points: 61 }]);
  const read = await van.account.must("/track/read", { tracker_id: van.tracker.id, ...RANGE, track_id: list[0].id });
  expect(read.list).toHaveLength(31);
  expect(read.list[0].get_time).toBe(writeTime(MIDNIGHT));
});

test("track/list takes and gives times in the caller's zone and form", async () => {
  const account = await newAccount({ time_zone: "Asia/Kolkata" });
  const tracker = await account.newTracker();
  await feed(tracker.source.device_id, drive(MORNING, 61));
  const east = 5.5 * HOUR_MS;
  const local = { from: writeTime(MORNING + east), to: writeTime(MORNING + HOUR_MS + east) };
  const { list } = await account.must("/track/list", { tracker_id: tracker.id, ...local, with_points: true });
  expect(list[0]).toMatchObject({ start_date: local.from, end_date: writeTime(MORNING + 10 * MINUTE_MS + east) });
  expect(list[0].points_list[0].get_time).toBe(local.from);

  const iso = { from: new Date(MORNING).toISOString(), to: new Date(MORNING + HOUR_MS).toISOString() };
  const read = await account.must("/track/read", { tracker_id: tracker.id, ...iso, iso_datetime: true });
  expect(read.list[0].get_time).toBe(`${local.from.replace(" ", "T")}+05:30`);
});

test("track/read gives the points of drives, and parked ones only unfiltered and marked", async () => {
  const parked = Array.from({ length: 5 }, (_, index) => still(MORNING + (index - 10) * MINUTE_MS));
  const { account, tracker } = await newFeed([...parked, ...drive(MORNING, 61)]);
  const parameters = { tracker_id: tracker.id, ...RANGE, simplify: false };
  const driven = await account.must("/track/read", parameters);
  expect(driven.list).toHaveLength(61);
  expect(driven.list.every(({ parking }: Reply) => parking === false)).toBe(true);
  const all = await account.must("/track/read", { ...parameters, filter: false });
  expect(all.list).toHaveLength(66);
  expect(all.list.map(({ parking }: Reply) => parking).indexOf(false)).toBe(5);
});

test("track/read counts the mileage from the tracker's first point", async () => {
  const van = await newFeed([...drive(MORNING, 61), ...drive(MORNING + 2 * HOUR_MS, 61, 50.054)]);
  const parameters = { tracker_id: van.tracker.id, to: RANGE.to, simplify: false };
  const afternoon = { from: writeTime(MORNING + HOUR_MS) };
  const { list } = await van.account.must("/track/read", { ...parameters, ...afternoon });
  expect(list).toHaveLength(61);
  expect(list[0].mileage).toBeCloseTo(6, 1);
  expect(list[60].mileage).toBeCloseTo(12, 1);
});

test("track/read with simplification reduces a straight drive to its ends, and keeps to the point limit", async () => {
  const bends = drive(MORNING, 400).map((point, index) => ({ ...point, lng: 8 + Math.sin(index) / 1000 }));
  const { account, tracker } = await newFeed(bends);
  const parameters = { tracker_id: tracker.id, ...RANGE };
  expect((await account.must("/track/read", parameters)).list).toHaveLength(400);
  expect((await account.must("/track/read", { ...parameters, point_limit: 50 })).list).toHaveLength(50);
  const { list } = await account.must("/track/read", { ...parameters, point_limit: 2 });
  expect(list.map(({ get_time }: Reply) => get_time)).toEqual([writeTime(MORNING), writeTime(MORNING + 3_990_000)]);
  const whole = { ...parameters, point_limit: 2, simplify: false };
  expect((await account.must("/track/read", whole)).list).toHaveLength(400);
});

test("track/read counts the last second of the range whole", async () => {
  const { account, tracker } = await newFeed(drive(MORNING + 500, 61));
  const upTo = (time: number) => ({ tracker_id: tracker.id, from: RANGE.from, to: writeTime(time), simplify: false });
  expect((await account.must("/track/read", upTo(MORNING + 600_000))).list).toHaveLength(61);
  expect((await account.must("/track/read", upTo(MORNING + 599_000))).list).toHaveLength(60);
});

test("track/read gives one track's points by its id, and refuses an unknown id (201)", async () => {
  const van = await newFeed([...drive(MORNING, 61), ...drive(MORNING + 2 * HOUR_MS, 91)]);
  const { list } = await listTracks(van);
  const parameters = { tracker_id: van.tracker.id, ...RANGE };
  const read = await van.account.must("/track/read", { ...parameters, track_id: list[1].id });
  expect(read.list).toHaveLength(91);
  expect(codeOf(await van.account.call("/track/read", { ...parameters, track_id: UNKNOWN_ID }))).toBe(201);
  expect(codeOf(await van.account.call("/track/download", { ...parameters, track_ids: [UNKNOWN_ID] }))).toBe(201);
});

test("track/read refuses the id of a drive that late points joined to another (201)", async () => {
  const van = await newFeed([...drive(MORNING, 61), ...drive(MORNING + HOUR_MS, 61, 50.36)]);
  const { list: before } = await listTracks(van);
  expect(before).toHaveLength(2);
  // The drive in between takes 50 minutes and is 30 km long.
  await feed(van.tracker.source.device_id, drive(MORNING + 10 * MINUTE_MS, 301, 50.054));
  const { list } = await listTracks(van);
  expect(list.map(({ id }: Reply) => id)).toEqual([before[0].id]);
  const parameters = { tracker_id: van.tracker.id, ...RANGE, track_id: before[1].id };
  expect(codeOf(await van.account.call("/track/read", parameters))).toBe(201);
});

test("track/download gives KML with a Placemark per point, named after tracker and range", async () => {
  const { account, tracker } = await newFeed(drive(MORNING, 61), { label: "Van <7>".replace(/[<>]/g, "&") });
  const file = await download(account, { tracker_id: tracker.id, ...RANGE });
  expect(file.headers.get("Content-Type")).toBe("application/vnd.google-earth.kml+xml");
  expect(file.headers.get("Content-Disposition")).toMatch(/^attachment; filename="track-Van &7& .*\.kml"/);
  const text = file.text();
  validateKml(text);
  expect(text).toContain(`<name>track-Van &amp;7&amp; ${RANGE.from}</name>`);
  expect(text.match(/<Placemark>/g)).toHaveLength(61);
  const iso = new Date(MORNING).toISOString();
  expect(text).toContain(`<description>${writeTime(MORNING)}</description><TimeStamp><when>${iso}</when></TimeStamp>`);
  expect(text).toContain('<Data name="speed"><value>36</value></Data>');
  expect(text).toContain("<coordinates>8,50</coordinates>");
});

test("track/download with split has a Folder for each drive, and with ids only for those", async () => {
  const van = await newFeed([...drive(MORNING, 61), ...drive(MORNING + 2 * HOUR_MS, 91)]);
  const parameters = { tracker_id: van.tracker.id, ...RANGE };
  for (const simplify of [true, false]) {
    const text = (await download(van.account, { ...parameters, split: true, simplify })).text();
    validateKml(text);
    expect(text.match(/<Folder>/g)).toHaveLength(2);
    expect(
      text
        .match(/(?<=<LineString><tessellate>1<\/tessellate><coordinates>)[^<]+/g)
        ?.map((line) => line.split(" ").length),
    ).toEqual([61, 91]);
  }
  const { list } = await listTracks(van);
  const second = (await download(van.account, { ...parameters, split: true, track_ids: [list[1].id] })).text();
  expect(second.match(/<Folder>/g)).toHaveLength(1);
  // Straight drives: simplification keeps only their ends.
  const few = (await download(van.account, { ...parameters, point_limit: 10 })).text();
  expect(few.match(/<Placemark>/g)).toHaveLength(4);
});

test("track/download as KMZ holds the document of the KML", async () => {
  const { account, tracker } = await newFeed(drive(MORNING, 61));
  const parameters = { tracker_id: tracker.id, ...RANGE, simplify: false };
  const file = await download(account, { ...parameters, format: "kmz" });
  expect(file.headers.get("Content-Type")).toBe("application/vnd.google-earth.kmz");
  const [document] = Object.values(unzipSync(file.bytes));
  expect(new TextDecoder().decode(document)).toBe((await download(account, parameters)).text());
  expect(codeOf(await account.call("/track/download", { ...parameters, format: "gpx" }))).toBe(7);
});

test("track/download without the filter has parked points, but in no Folder", async () => {
  const { account, tracker } = await newFeed([still(MORNING - 10 * MINUTE_MS), ...drive(MORNING, 61)]);
  const parameters = { tracker_id: tracker.id, ...RANGE, filter: false };
  expect((await download(account, parameters)).text().match(/<Placemark>/g)).toHaveLength(62);
  expect((await download(account, { ...parameters, split: true })).text().match(/<Folder>/g)).toHaveLength(1);
});

test("track calls show nothing from before the storage period", async () => {
  const { account, tracker } = await newFeed([], { store_period: "30h" });
  const now = systemNow();
  const since = now - 30 * HOUR_MS;
  const across = since - 5 * MINUTE_MS;
  await feed(tracker.source.device_id, [
    ...drive(since - 2 * HOUR_MS, 61),
    ...drive(across, 61, 50.1),
    ...drive(since + 2 * HOUR_MS, 61, 50.2),
  ]);
  const older = { tracker_id: tracker.id, from: writeTime(since - 3 * HOUR_MS), to: writeTime(now) };
  const list = await account.must("/track/list", older);
  expect(list).toMatchObject({ limit_exceeded: true, list: [{ points: 61, bounds: { se: { lat: 50.2 } } }] });
  const read = await account.must("/track/read", { ...older, simplify: false });
  expect(read.limit_exceeded).toBe(true);
  expect(read.list.length).toBeGreaterThan(61 + 28);
  expect(read.list.length).toBeLessThanOrEqual(61 + 31);
  expect(await account.must("/track/download", older)).toEqual({ success: true, limit_exceeded: true, list: [] });

  const recent = { ...older, from: writeTime(since + MINUTE_MS) };
  expect(await account.must("/track/list", recent)).toMatchObject({ limit_exceeded: false });
  expect((await account.must("/track/read", recent)).limit_exceeded).toBe(false);
  expect((await download(account, recent)).headers.get("Content-Type")).toContain("kml");

  const gone = { ...older, from: writeTime(since - 3 * DAY_MS), to: writeTime(since - DAY_MS) };
  expect(await account.must("/track/list", gone)).toMatchObject({ limit_exceeded: true, list: [] });
  expect(await account.must("/track/read", gone)).toMatchObject({ limit_exceeded: true, list: [] });
});

test.each(CALLS)("operation %s refuses wrong ranges and limits, and takes those at their ends", async (path) => {
  const { account, tracker } = await newFeed();
  const code = async (changes: object) => codeOf(await answer(account, path, { ...RANGE, ...changes }));
  async function answer(of: Account, called: string, parameters: object): Promise<Reply> {
    const response = await fetch(stack.baseUrl + called, {
      method: "POST",
      body: JSON.stringify({ hash: of.hash, tracker_id: tracker.id, ...parameters }),
    });
    return response.headers.get("Content-Type")?.includes("json") ? response.json() : { success: true };
  }
  expect(await code({ to: RANGE.from })).toBe(7);
  expect(await code({ from: RANGE.to, to: RANGE.from })).toBe(7);
  expect(await code({ from: "yesterday" })).toBe(7);
  expect(await code({ to: undefined })).toBe(7);
  const longest = { from: writeTime(MIDNIGHT - 90 * DAY_MS), to: writeTime(MIDNIGHT) };
  expect(await code(longest)).toBeUndefined();
  expect(await code({ ...longest, to: writeTime(MIDNIGHT + 1000) })).toBe(211);
  for (const point_limit of [2, 3000, "3000"]) expect(await code({ point_limit })).toBeUndefined();
  for (const point_limit of [1, 3001, 2.5]) expect(await code({ point_limit })).toBe(7);
});

test.each(CALLS)(
  "operation %s answers for another account's tracker as for an unknown one, and 208 for a blocked one",
  async (path) => {
    const [van, rival] = [await newFeed(), await newAccount()];
    const foreign = await rival.call(path, { tracker_id: van.tracker.id, ...RANGE });
    expect(foreign).toEqual(await rival.call(path, { tracker_id: UNKNOWN_ID, ...RANGE }));
    expect(codeOf(foreign)).toBe(201);

    await block(van.tracker.id);
    expect(codeOf(await van.account.call(path, { tracker_id: van.tracker.id, ...RANGE }))).toBe(208);
  },
);

test("track/read and download refuse the track of another tracker (201)", async () => {
  const van = await newFeed(drive(MORNING, 61));
  const other = await van.account.newTracker({ label: "Van 8" });
  const { list } = await listTracks(van);
  const parameters = { tracker_id: other.id, ...RANGE };
  expect(codeOf(await van.account.call("/track/read", { ...parameters, track_id: list[0].id }))).toBe(201);
  expect(codeOf(await van.account.call("/track/download", { ...parameters, track_ids: [list[0].id] }))).toBe(201);
});

test("track/list can be called by GET", async () => {
  const { account, tracker } = await newFeed(drive(MORNING, 61));
  const query = new URLSearchParams({ hash: account.hash, tracker_id: tracker.id, ...RANGE, with_points: "true" });
  const response = await fetch(`${stack.baseUrl}/track/list?${query}`);
  const reply = (await response.json()) as Reply;
  expect(reply.list[0].points_list).toHaveLength(61);
});

async function newFeed(points: object[] = [], { label = "Van 7", store_period = "1y" } = {}) {
  const account = await newAccount({ time_zone: "UTC", plan: { store_period } });
  const tracker = await account.newTracker({ label });
  const { device_id } = tracker.source;
  if (points.length > 0) expect(await feed(device_id, points)).toMatchObject({ accepted: points.length });
  return { account, tracker };
}

function listTracks({ account, tracker }: { account: Account; tracker: Reply }, parameters: object = {}) {
  return account.must("/track/list", { tracker_id: tracker.id, ...RANGE, ...parameters });
}

async function download(account: Account, parameters: object) {
  const response = await fetch(`${stack.baseUrl}/track/download`, {
    method: "POST",
    body: JSON.stringify({ hash: account.hash, ...parameters }),
  });
  expect(response.status).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { headers: response.headers, bytes, text: () => new TextDecoder().decode(bytes) };
}

async function block(tracker_id: number) {
  await must("/panel/tracker/source/update", { hash: await operatorHash(), tracker_id, blocked: true });
}

/** North at 36 km/h, a point every ten seconds. */
function drive(startMs: number, points: number, lat = 50) {
  return Array.from({ length: points }, (_, index) => ({
    ...{ time: startMs + index * 10_000, lat: Number((lat + index * STEP).toFixed(6)), lng: 8 },
    ...{ speed: 36, heading: 0, alt: 120, satellites: 11, precision: 5 },
  }));
}

function still(time: number) {
  return { time, lat: 50, lng: 8, speed: 0 };
}

function reportAt(time: number, lat = 51) {
  return { time, lat, lng: 8, speed: 40, precision: 20 };
}

function typesOf({ list }: Reply) {
  return list.map(({ type }: Reply) => type);
}

function codeOf({ status }: Reply) {
  return status?.code;
}

function writeTime(ms = 0) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

test("track/list gives tracks the address of the nearest place at start and end, unless addresses are left out", async () => {
  const { account, tracker } = await newFeed();
  const points = drive(MORNING, 61).map((point) => ({ ...point, lat: point.lat - 1.89, lng: 11.575 }));
  await feed(tracker.source.device_id, points);
  const list = async (parameters = {}) =>
    (await account.must("/track/list", { tracker_id: tracker.id, ...RANGE, ...parameters })).list[0];
  const at = (address: string) => ({ start_address: address, end_address: address });
  expect(await list()).toMatchObject(at("Munich, Bavaria, Germany"));
  expect(await list({ split: false })).toMatchObject({ type: "merged", ...at("Munich, Bavaria, Germany") });
  expect(await list({ omit_addresses: true })).toMatchObject(at(""));
});

test("track/read gives points an address where a track starts or ends, and where an event happened", async () => {
  const { account, tracker } = await newFeed();
  const rule = { type: "speedup", name: "Speed", param: 30, trackers: [tracker.id] };
  await account.must("/tracker/rule/create", { rule });
  const start = Math.floor(systemNow() / 1000) * 1000 - HOUR_MS;
  const near = (point: { lat: number }) => ({ ...point, lat: point.lat - 1.89, lng: 11.575 });
  const points = drive(start, 61).map(near);
  const fast = points.map((point, index) => ({ ...point, speed: index === 40 ? 90 : 29 }));
  await feed(tracker.source.device_id, fast);
  const range = { from: writeTime(start - HOUR_MS), to: writeTime(start + HOUR_MS) };
  const munich = "Munich, Bavaria, Germany";
  await vi.waitFor(
    async () => {
      const { list } = await account.must("/history/tracker/list", { ...range, trackers: [tracker.id] });
      expect(list).toMatchObject([{ event: "speedup", address: munich }]);
    },
    { timeout: 120_000, interval: 200 },
  );
  const given = { tracker_id: tracker.id, ...range };
  const addressed = (list: Reply[]) => list.flatMap(({ address }, index) => (address === munich ? [index] : []));
  const { list } = await account.must("/track/read", { ...given, simplify: false });
  const last = list.length - 1;
  expect(addressed(list)).toEqual([0, 40, last]);
  expect(list.filter(({ address }: Reply) => address !== "")).toHaveLength(3);
  const [track] = (await account.must("/track/list", { ...given, with_points: true })).list;
  expect(addressed(track.points_list)).toEqual([0, 40, last]);
  const { list: one } = await account.must("/track/read", { ...given, track_id: track.id, simplify: false });
  expect(addressed(one)).toEqual([0, 40, last]);
  const omitted = await account.must("/track/list", { ...given, with_points: true, omit_addresses: true });
  expect(addressed(omitted.list[0].points_list)).toEqual([]);
});
