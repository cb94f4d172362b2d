import { describe, expect, test } from "vitest";
import { NOW, post, refusalOf } from "../../../../test/tool/call/ingest-request.ts";
import { effort } from "../../../../test/tool/effort.ts";
import { FORMATS } from "./formats.ts";

const empty = { device_id: "1", points: [] };

test("ingest with an unknown format or method answers 112", async () => {
  expect(await refusalOf("gpx", post(empty))).toBe("112");
  expect(await refusalOf("", post(empty))).toBe("112");
  expect(await refusalOf("points/points", post(empty))).toBe("112");
  expect(await refusalOf("toString", post(empty))).toBe("112");
  expect(await refusalOf("points/", post(empty))).toBe("accepted");
  for (const method of ["HEAD", "PUT", "DELETE", "PATCH"]) {
    for (const format of FORMATS.keys()) expect(await refusalOf(format, { method })).toBe("112");
  }
  for (const format of ["owntracks", "overland", "points"]) expect(await refusalOf(format)).toBe("112");
});

describe("the body of an ingest request", () => {
  const ARRAYS = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

  test.each(["{", "", "[1,]", "NaN", "{'a':1}", '{"device_id":"1","points":[]} x'])(
    "an ingest body of %j is malformed (5)",
    async (text) => {
      expect(await refusalOf("points", post(text))).toBe("5");
      expect(await refusalOf("overland", post(text))).toBe("5");
    },
  );

  test("an ingest body of more than 64 levels is malformed (5)", async () => {
    const nested = (depth: number) => post(`{"device_id":"1","points":[],"x":${ARRAYS(depth)}}`);
    expect(await refusalOf("points", nested(63))).toBe("accepted");
    expect(await refusalOf("points", nested(64))).toBe("5");
    expect(await refusalOf("points", nested(1_000_000))).toBe("5");
  });

  test("an ingest body is UTF-8, with or without its mark", async () => {
    const bytes = new TextEncoder().encode('\ufeff{"device_id":"ключ","points":[]}');
    expect(await refusalOf("points", { method: "POST", body: bytes })).toBe("accepted");
    expect(await refusalOf("points", { method: "POST", body: bytes.subarray(0, 19) })).toBe("5");
    expect(await refusalOf("points", { method: "POST", body: new Uint8Array([0x22, 0xff, 0x22]) })).toBe("5");
    expect(await refusalOf("osmand?id=1", { method: "POST", body: new Uint8Array([0xff]) })).toBe("5");
  });

  test("an ingest body is recognized as JSON or a form by its content before its type", async () => {
    const asForm = { "Content-Type": "application/x-www-form-urlencoded" };
    expect(await refusalOf("points", post(empty, asForm))).toBe("accepted");
    expect(await refusalOf("osmand", post({ id: "1" }, asForm))).toBe("accepted");
    expect(await refusalOf("osmand", post("id=1", asForm))).toBe("accepted");
    expect(await refusalOf("osmand", post("id=1"))).toBe("5");
    expect(await refusalOf("osmand?id=1", post("5"))).toBe("5");
    expect(await refusalOf("osmand?id=1", post("--b", { "Content-Type": "multipart/form-data; boundary=b" }))).toBe(
      "5",
    );
  });
});

test("ingest answers each format in the form that its senders expect", () => {
  const stored = { accepted: 2, duplicates: 1 };
  const answers: Record<string, string> = {};
  for (const [name, { answer }] of FORMATS) {
    answers[name] = answer(stored);
  }
  expect(answers).toEqual({
    osmand: "",
    owntracks: "[]",
    overland: '{"result":"ok"}',
    points: '{"success":true,"accepted":2,"duplicates":1}',
  });
});

test("ingest gives at most a refusal for any kind of JSON", async () => {
  const random = randomOf(20_250_701);
  for (let rounds = effort({ few: 500, many: 20_000 }), round = 0; round < rounds; round += 1) {
    const body = JSON.stringify(round % 2 ? anyValue(random, 4) : spoilt(random));
    // `refusalOf` throws unless the error is a refusal.
    for (const format of FORMATS.keys()) await refusalOf(`${format}?id=1`, post(body));
  }
});

type Random = () => number;

/** A repeatable random source, so that a failure can be examined. */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const SCALARS = [null, true, false, 0, -1, 1e300, NOW, 1_750_000_000, "", "1", "x", "\0", "\ud800", "__proto__"];
const NAMES = [
  ...["id", "device_id", "points", "locations", "location", "coords", "latitude", "longitude", "battery", "level"],
  ...["_type", "lat", "lon", "lng", "tst", "time", "timestamp", "geometry", "coordinates", "properties", "attributes"],
  ...["inputs", "speed", "type", "__proto__", "constructor", "length", "", "topic", "event"],
];

function pick<T>(random: Random, items: T[]): T | undefined {
  return items[Math.floor(random() * items.length)];
}

function anyValue(random: Random, depth: number): unknown {
  const kind = random();
  if (depth === 0 || kind < 0.3) return pick(random, SCALARS);
  const size = Math.floor(random() * 5);
  if (kind < 0.5) return Array.from({ length: size }, () => anyValue(random, depth - 1));
  return Object.fromEntries(Array.from({ length: size }, () => [pick(random, NAMES), anyValue(random, depth - 1)]));
}

/** A valid body with some values replaced. */
function spoilt(random: Random): unknown {
  const good = pick(random, [
    { device_id: "1", points: [{ time: NOW, lat: 1, lng: 2, speed: 3, inputs: [true], attributes: { a: 1 } }] },
    { _type: "location", tid: "x", lat: 1, lon: 2, tst: 1_750_000_000, vel: 1, batt: 5, topic: "a/b" },
    { locations: [{ geometry: { type: "Point", coordinates: [1, 2] }, properties: { timestamp: NOW, speed: 1 } }] },
    { device_id: "1", location: { coords: { latitude: 1, longitude: 2 }, battery: { level: 1 }, event: "x" } },
    [{ id: "1", lat: 1, lon: 2, timestamp: NOW, cell: "x" }],
  ]);
  return replaceSome(good, random);
}

function replaceSome(value: unknown, random: Random): unknown {
  if (random() < 0.15) return anyValue(random, 2);
  if (Array.isArray(value)) return value.map((item) => replaceSome(item, random));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceSome(member, random)]));
}
