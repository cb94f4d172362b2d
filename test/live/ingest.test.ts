import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS, HOUR_MS } from "../../shared/time/duration.ts";
import { type Account, newAccount, newImei, operatorHash, type Reply } from "../tool/call/account.ts";
import { stack } from "../tool/system/stack.ts";

type JsonAnswer = { status: number; body: Reply };

const JSON_TYPE: Record<string, string> = { "Content-Type": "application/json" };
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const TODAY = writeLocal(systemNow() - HOUR_MS, "UTC").slice(0, 10);
/** The days of the samples: one call asks for 90 days at most. */
const DAYS = ["2013-08-22", "2014-06-04", "2015-10-01", "2016-01-27", "2017-06-13", "2017-09-07", "2019-03-06"].concat([
  "2025-01-06",
  "2025-05-09",
  "2025-06-15",
]);
/** A point as `/ingest/points` takes it, of an hour ago. */
const POINT = { time: systemNow() - HOUR_MS, lat: 50, lng: 8 };

const queries = (await lines("osmand-query.jsonl")).map(({ request }) => String(request).replace("GET /?", ""));
const osmAndBodies = (await lines("osmand-json.jsonl")).map(({ body }) => body);
const ownTracksBodies = (await lines("owntracks.jsonl")).map(({ body }) => body);
const overlandBatch = JSON.parse(await sample("overland-batch.json"));

test.each(queries.filter((query) => query.includes("timestamp")))("OsmAnd's ?%s is taken", async (query) => {
  const { tracker, device_id } = await newSender();
  const parameters = new URLSearchParams(query);
  parameters.set("id", device_id);
  const asQuery = await get(`/ingest/osmand?${parameters}`);
  expect(asQuery).toEqual({ status: 200, body: "" });
  const asForm = await send("/ingest/osmand", parameters.toString(), FORM);
  expect(asForm).toEqual({ status: 200, body: "" });
  // A report of radio cells alone has no place: it tells the state.
  expect(await countOf(tracker, DAYS)).toBe(parameters.has("lat") ? 1 : 0);
});

test("a report of OsmAnd without a time counts as of now", async () => {
  const [query = ""] = queries.filter((one) => !one.includes("timestamp"));
  const { tracker, device_id } = await newSender();
  const parameters = new URLSearchParams(query);
  parameters.set("id", device_id);
  const before = systemNow();
  expect((await get(`/ingest/osmand?${parameters}`)).status).toBe(200);
  const { state } = await tracker.account.must("/tracker/get_state", { tracker_id: tracker.id });
  expect(state.gps.location).toEqual({ lat: 41.666667, lng: -0.883333 });
  expect(state.gps.updated >= writeLocal(before, "UTC")).toBe(true);
});

test.each(osmAndBodies)("OsmAnd's JSON %j is taken", async (body) => {
  const { tracker, device_id } = await newSender();
  expect(await send("/ingest/osmand", { ...body, device_id })).toEqual({ status: 200, body: "" });
  expect(await countOf(tracker, DAYS)).toBe(1);
});

test.each(ownTracksBodies)("OwnTracks' %j is taken, the device named in each of four ways", async (body) => {
  const { tracker, device_id } = await newSender();
  const { topic, tid, ...rest } = body;
  const ways: [string, object, Record<string, string>][] = [
    [`/ingest/owntracks?id=${device_id}`, { ...body, topic: "owntracks/ann/nobody" }, { "X-Limit-D": "nobody" }],
    ["/ingest/owntracks", { ...body, topic: "owntracks/ann/nobody" }, { "X-Limit-D": device_id }],
    ["/ingest/owntracks", { ...rest, tid: "nobody", topic: `owntracks/ann/${device_id}` }, {}],
    ["/ingest/owntracks", { ...rest, tid: device_id }, {}],
  ];
  for (const [path, message, headers] of ways) {
    expect(await send(path, message, { ...JSON_TYPE, ...headers })).toEqual({ status: 200, body: [] });
  }
  expect(await countOf(tracker, DAYS)).toBe(1);
});

test.each([
  ["an empty body", ""],
  ["a type that tells no place", { _type: "lwt", tst: 1_497_349_316 }],
])("OwnTracks' %s is passed over", async (_, body) => {
  const { tracker, device_id } = await newSender();
  expect(await send(`/ingest/owntracks?id=${device_id}`, body)).toEqual({ status: 200, body: [] });
  expect(await countOf(tracker)).toBe(0);
});

test("Overland's batch is taken, the device named in the query where the app leaves it empty", async () => {
  const { tracker, device_id } = await newSender();
  expect(await send(`/ingest/overland?id=${device_id}`, overlandBatch)).toEqual({
    status: 200,
    body: { result: "ok" },
  });
  expect(await countOf(tracker, DAYS)).toBe(1);
});

test("Overland's batch of several devices stores nothing when one of them is unknown", async () => {
  const [one, other] = [await newSender(), await newSender()];
  const batch = (...ids: string[]) => ({ locations: ids.map((device_id) => feature({ device_id })) });
  const wrong = await send("/ingest/overland", batch(one.device_id, newImei(), other.device_id));
  expect([wrong.status, codeOf(wrong)]).toEqual([404, 204]);
  expect([await countOf(one.tracker), await countOf(other.tracker)]).toEqual([0, 0]);
  expect((await send("/ingest/overland", batch(one.device_id, other.device_id))).status).toBe(200);
  expect([await countOf(one.tracker), await countOf(other.tracker)]).toEqual([1, 1]);
});

test("Overland's batch stores nothing when one of its devices is blocked or has another key", async () => {
  const [one, other] = [await newSender(), await newSender()];
  const batch = { locations: [one, other].map(({ device_id }) => feature({ device_id })) };
  await setKey(other.tracker, "the key of the other");
  expect(codeOf(await send("/ingest/overland", batch))).toBe(204);
  await setKey(other.tracker, null);
  await block(other.tracker, true);
  expect(codeOf(await send("/ingest/overland", batch))).toBe(208);
  expect(await countOf(one.tracker)).toBe(0);
});

test("an unknown device is 404 and 204", async () => {
  const refused = await send("/ingest/points", { device_id: newImei(), points: [POINT] });
  expect([refused.status, codeOf(refused)]).toEqual([404, 204]);
});

test("a device unknown a moment ago is taken as soon as it is registered", async () => {
  const account = await newAccount();
  const device_id = newImei();
  expect((await send("/ingest/points", { device_id, points: [POINT] })).status).toBe(404);
  await account.newTracker({ device_id });
  expect((await send("/ingest/points", { device_id, points: [POINT] })).status).toBe(200);
});

test("a blocked device is 403 and 208, until it is unblocked", async () => {
  const { tracker, device_id } = await newSender();
  await block(tracker, true);
  const refused = await send("/ingest/points", { device_id, points: [POINT] });
  expect([refused.status, codeOf(refused)]).toEqual([403, 208]);
  await block(tracker, false);
  expect(await countOf(tracker)).toBe(0);
  expect((await send("/ingest/points", { device_id, points: [POINT] })).status).toBe(200);
});

test("a device with a key must send it, in the query or as a header; without it or with another it is an unknown one", async () => {
  const { tracker, device_id } = await newSender();
  const [key, message] = ["a key of its own", { device_id, points: [POINT] }];
  const unknown = await send("/ingest/points", { ...message, device_id: newImei() });
  await setKey(tracker, key);
  for (const isBlocked of [false, true]) {
    if (isBlocked) await block(tracker, true);
    for (const query of ["", "?key=", "?key=another-key-than-its"]) {
      expect(await send(`/ingest/points${query}`, message), query).toEqual(unknown);
    }
  }
  expect(codeOf(await send(`/ingest/points?key=${encodeURIComponent(key)}`, message))).toBe(208);
  await block(tracker, false);
  expect(await countOf(tracker)).toBe(0);
  expect((await send(`/ingest/points?key=${encodeURIComponent(key)}`, message)).status).toBe(200);
  expect((await send("/ingest/points", message, { ...JSON_TYPE, "X-Ingest-Key": key })).status).toBe(200);
  await setKey(tracker, null);
  expect((await send("/ingest/points", message)).status).toBe(200);
});

const wrongPoints: [string, object][] = [
  ["a latitude beyond the pole", { lat: 90.0001 }],
  ["a longitude beyond the date line", { lng: -180.5 }],
  ["no longitude", { lng: undefined }],
  ["null as latitude", { lat: null }],
  ["a text as latitude", { lat: "north" }],
  ["NaN as text", { lat: "NaN" }],
  ["a time before 2000", { time: "1999-12-31T23:59:59Z" }],
  ["the time of an unset clock", { time: 0 }],
  ["a time two days ahead", { time: systemNow() + 2 * DAY_MS }],
  ["a day that no calendar has", { time: "2026-02-30T00:00:00Z" }],
  ["no time", { time: undefined }],
  ["a speed below nothing", { speed: -1 }],
  ["a heading beyond the circle", { heading: 361 }],
  ["half a satellite", { satellites: 4.5 }],
  ["a list as attributes", { attributes: [] }],
  ["an object as an attribute", { attributes: { driver: {} } }],
  ["NUL in an attribute", { attributes: { driver: "\0" } }],
];

test.each(wrongPoints)(
  "a batch of good points with one that has %s is 400 and 7, and stores nothing",
  async (_, wrong) => {
    const { tracker, device_id } = await newSender();
    const points = [POINT, { ...POINT, time: POINT.time + 1000, ...wrong }];
    const refused = await send("/ingest/points", { device_id, points });
    expect([refused.status, codeOf(refused)]).toEqual([400, 7]);
    const [offending] = Object.keys(wrong);
    expect(refused.body.errors[0].parameter).toMatch(new RegExp(`^points\\.1\\.${offending}`));
    expect(await countOf(tracker)).toBe(0);
  },
);

test.each([
  ["1e999", '{"device_id":ID,"points":[{"time":1,"lat":1e999,"lng":8}]}', 7],
  ["NaN", '{"device_id":ID,"points":[{"time":1,"lat":NaN,"lng":8}]}', 5],
  ["an end in the middle", '{"device_id":ID,"points":[{"time"', 5],
  ["a list", "[]", 5],
  ["nothing", "", 5],
  ["no list of points", '{"device_id":ID,"points":{}}', 7],
  ["no device", '{"points":[]}', 7],
  ["depth", `{"device_id":ID,"points":${"[".repeat(100)}${"]".repeat(100)}}`, 5],
])("a call of /ingest/points with %s is 400, in the words of the contract", async (_, text, code) => {
  const { tracker, device_id } = await newSender();
  const refused = await send("/ingest/points", text.replace("ID", JSON.stringify(device_id)));
  expect([refused.status, codeOf(refused)]).toEqual([400, code]);
  expect(await countOf(tracker)).toBe(0);
});

test.each(["osmand", "owntracks", "overland", "points"])(
  "the path /ingest/%s answers malformed requests with a refusal of its own, never with a failure",
  async (format) => {
    const { device_id } = await newSender();
    const values = [null, true, -1, 1e308, "", "x", "\0", "\ud800", [], {}, [[]], "NaN", 2 ** 53, "💥"];
    const names = ["lat", "lon", "lng", "tst", "timestamp", "time", "location", "locations", "points", "speed", "t"];
    for (let turn = 0; turn < 60; turn++) {
      const random = names.filter(() => randomInt(2) === 0).map((name) => [name, values[randomInt(values.length)]]);
      const message = { id: device_id, device_id, tid: device_id, _type: "location", ...Object.fromEntries(random) };
      const { status } = await send(`/ingest/${format}`, message);
      expect(status, JSON.stringify(message)).toBeLessThan(500);
    }
  },
);

test("an ingest call by another method than its format's is 112, and so is an unknown format", async () => {
  expect(codeOf(await get("/ingest/points"))).toBe(112);
  expect(codeOf(await send("/ingest/smoke-signals", {}))).toBe(112);
});

test("a point is stored once, however often, in whatever order and by however many calls at once it is sent", async () => {
  const { tracker, device_id } = await newSender();
  const points = Array.from({ length: 50 }, (_, index) => ({ ...POINT, time: POINT.time + index * 1000 }));
  const replies = await Promise.all(
    [points, points.toReversed(), [...points, ...points], points.slice(20)].map((some) =>
      send("/ingest/points", { device_id, points: some }),
    ),
  );
  const accepted = replies.reduce((sum, { body }) => sum + body.accepted, 0);
  const duplicates = replies.reduce((sum, { body }) => sum + body.duplicates, 0);
  expect([accepted, duplicates]).toEqual([50, 180]);
  expect(await countOf(tracker)).toBe(50);
});

test("a feed keeps 20,000 points ahead of the clock; one more is 503 and stores nothing, points of now are taken", async () => {
  const [{ device_id }, other] = [await newSender(), await newSender()];
  const ahead = (index: number) => ({ ...POINT, time: systemNow() + HOUR_MS + index });
  for (let first = 0; first < 20_000; first += 1000) {
    const points = Array.from({ length: 1000 }, (_, index) => ahead(first + index));
    expect((await send("/ingest/points", { device_id, points })).body.accepted).toBe(1000);
  }
  const refused = await send("/ingest/points", { device_id, points: [POINT, ahead(HOUR_MS)] });
  expect([refused.status, codeOf(refused)]).toEqual([503, 14]);
  const timestamp = new Date(systemNow() + HOUR_MS).toISOString();
  const batch = [device_id, other.device_id].map((id) => feature({ device_id: id, timestamp }));
  expect(codeOf(await send("/ingest/overland", { locations: batch }))).toBe(14);
  expect(await countOf(other.tracker)).toBe(0);
  expect((await send("/ingest/points", { device_id, points: [POINT] })).body).toMatchObject({ accepted: 1 });
});

test("ingest/points takes a thousand points in a call; one more is 7 and stores nothing", async () => {
  const { tracker, device_id } = await newSender();
  const points = Array.from({ length: 1001 }, (_, index) => ({ ...POINT, time: POINT.time + index }));
  expect(codeOf(await send("/ingest/points", { device_id, points }))).toBe(7);
  expect(codeOf(await send("/ingest/overland", { locations: points.map(() => feature({ device_id })) }))).toBe(7);
  expect(await countOf(tracker)).toBe(0);
  const { body } = await send("/ingest/points", { device_id, points: points.slice(1) });
  expect(body).toEqual({ success: true, accepted: 1000, duplicates: 0 });
});

type Tracker = { id: number; account: Account };

let owner: Promise<Account> | undefined;

/** A device whose id may be of letters, as phones choose them. All of them have one owner, who keeps points for long. */
async function newSender() {
  owner ??= newAccount({ plan: { store_period: "30y" }, time_zone: "UTC" });
  const account = await owner;
  const device_id = `phone-${randomInt(1e12)}`;
  const device = { label: "Phone", model: "generic_http", plugin_id: 44, group_id: 0, device_id };
  const { value } = await account.must("/tracker/register", device);
  const tracker: Tracker = { id: value.id, account };
  return { tracker, device_id };
}

/** Points that the tracker has of these days and the next. */
async function countOf({ id, account }: Tracker, days = [TODAY]): Promise<number> {
  const lists = days.map(async (day) => {
    const [from, to] = [Date.parse(day), Date.parse(day) + 2 * DAY_MS].map((ms) => writeLocal(ms, "UTC"));
    const { list } = await account.must("/track/read", { tracker_id: id, from, to, simplify: false, filter: false });
    return list.length;
  });
  return (await Promise.all(lists)).reduce((sum, count) => sum + count);
}

async function setKey({ id, account }: Tracker, key: string | null) {
  await account.must("/tracker/ingest_key/update", { tracker_id: id, key });
}

async function block({ id, account }: Tracker, blocked: boolean) {
  const hash = await operatorHash();
  await account.must("/panel/tracker/source/update", { hash, tracker_id: id, blocked });
}

function feature(properties: object) {
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates: [8, 50] },
    properties: { timestamp: new Date(POINT.time).toISOString(), ...properties },
  };
}

async function send(path: string, body: object | string, headers = JSON_TYPE): Promise<JsonAnswer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return answerOf(await fetch(stack.baseUrl + path, { method: "POST", headers, body: text }));
}

async function get(path: string): Promise<JsonAnswer> {
  return answerOf(await fetch(stack.baseUrl + path));
}

/** Devices read the body as it stands: an empty one is no JSON. */
async function answerOf(answer: Response): Promise<JsonAnswer> {
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? "" : JSON.parse(text) };
}

function codeOf({ body }: JsonAnswer): number | undefined {
  return body.status?.code;
}

function sample(name: string) {
  return readFile(join(import.meta.dirname, "..", "fixtures", "senders", name), "utf8");
}

async function lines(name: string): Promise<Reply[]> {
  return (await sample(name))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
