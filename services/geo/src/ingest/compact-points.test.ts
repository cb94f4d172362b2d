import { describe, expect, test } from "vitest";
import { DAY_MS } from "#shared/time/duration.ts";
import { NOW, post, readMessages } from "../../../../test/tool/call/ingest-request.ts";
import { chanceOf } from "../../../../test/tool/chance.ts";
import { effort } from "../../../../test/tool/effort.ts";
import { decodePoints } from "../point/codec.ts";
import { storedPoint } from "../point/point.ts";
import { readCompactBatch } from "./compact-points.ts";
import { MAX_POINTS } from "./message.ts";
import { parsePoints } from "./points.ts";

const LIMITS = { nowMs: NOW, latestMs: NOW + DAY_MS };
const BEGIN = Date.parse("2025-06-29T23:50:00Z");

describe("pointsIn, which reads a batch without parsing it", () => {
  test("pointsIn finds the points that parsing the batch finds", () => {
    for (let seed = 1; seed <= 80; seed++) {
      const text = JSON.stringify({ device_id: "860000000000017", points: anyPoints(seed) });
      expect(pointsIn(text), text).toEqual(parsedFrom(text));
    }
  });

  test("pointsIn reads what devices and programs send: ingest/points uses it", async () => {
    const [message] = await readMessages("points", post({ device_id: "1", points: anyPoints(1) }));
    if (message?.form !== "raw") throw new Error("the batch was parsed");
    expect(message).toMatchObject({ device_id: "1", key: null });
    expect(decodePoints(message.bytes)).toHaveLength(40);
  });

  test("pointsIn takes the members of points in any order", () => {
    const points = anyPoints(3).map((point) => Object.fromEntries(Object.entries(point).reverse()));
    const text = JSON.stringify({ device_id: "1", points });
    expect(pointsIn(text)).toEqual(parsedFrom(text));
  });

  test("pointsIn takes as many points as a batch may have", () => {
    const points = (count: number) => Array.from({ length: count }, (_, index) => pointAt(index));
    expect(pointsIn(JSON.stringify({ device_id: "1", points: points(MAX_POINTS) }))).toHaveLength(MAX_POINTS);
    expect(pointsIn(JSON.stringify({ device_id: "1", points: points(MAX_POINTS + 1) }))).toBeNull();
  });
});

describe("pointsIn leaves a batch to the parser", () => {
  const right: { device_id: string; points: object[] } = { device_id: "1", points: anyPoints(2) };
  const text = JSON.stringify(right);

  test("pointsIn leaves a cut or changed batch to the parser, unless both read it alike", () => {
    for (let length = 0; length < text.length; length++) expect(pointsIn(text.slice(0, length))).toBeNull();
    const chance = chanceOf(7);
    for (let rounds = effort({ few: 600, many: 30_000 }), round = 0; round < rounds; round++) {
      const at = Math.floor(chance() * text.length);
      const other = CHANGES[Math.floor(chance() * CHANGES.length)] ?? "";
      const changed = text.slice(0, at) + other + text.slice(at + (round % 2));
      const points = pointsIn(changed);
      if (points) expect(points, changed.slice(Math.max(0, at - 40), at + 40)).toEqual(parsedFrom(changed));
    }
  });

  test.each([
    { time: "2025-02-29T08:00:00Z" },
    { time: "2025-06-30T24:00:00Z" },
    { time: "2025-06-30T08:00:00+02:00" },
    { time: "2025-06-30 08:00:00Z" },
    { time: NOW + 2 * DAY_MS },
    { time: BEGIN },
    { lat: 90.1 },
    { lat: null },
    { lat: "51.5" },
    { lng: -181 },
    { speed: -1 },
    { heading: 1e-7 },
    { alt: 1.2345678901234567 },
    { satellites: 7.5 },
    { satellites: 256 },
    { inputs: [true] },
    { attributes: { fuel: 1 } },
    { buffered: "true" },
    { unknown: 1 },
  ])("pointsIn leaves a point with %j to the parser", (member) => {
    const points = right.points.with(20, { ...pointAt(20), ...member });
    expect(pointsIn(JSON.stringify({ ...right, points }))).toBeNull();
  });

  test.each([
    ["spaces", JSON.stringify(right, null, 1)],
    ["another order", JSON.stringify({ points: right.points, device_id: "1" })],
    ["a member twice", text.replace('"lat":', '"lat":1,"lat":')],
    ["a mark in front", `\ufeff${text}`],
    ["another member", text.replace("{", '{"key":1,')],
    ["more behind its end", `${text}x`],
    ["a device of other letters", text.replace('"1"', '"ключ"')],
    ["a device that is none", text.replace('"1"', '""')],
    ["escapes", text.replace('"1"', '"\\u0031"')],
    ["few points", JSON.stringify({ ...right, points: right.points.slice(0, 15) })],
  ])("pointsIn leaves a batch with %s to the parser", (_, body) => {
    expect(pointsIn(body)).toBeNull();
  });
});

function pointsIn(text: string) {
  const batch = readCompactBatch(new TextEncoder().encode(text), LIMITS);
  return batch && decodePoints(batch.bytes);
}

function parsedFrom(text: string) {
  const nothing = { query: new Map(), form: null, batch: null, header: () => null };
  const [message] = parsePoints({ ...LIMITS, ...nothing, json: JSON.parse(text) });
  return message?.form === "parsed" ? message.points.map(storedPoint) : undefined;
}

function pointAt(index: number) {
  return { time: new Date(BEGIN + index * 10_000).toISOString(), lat: 51.5, lng: 9.93 };
}

/** Forty points in order, each with some of the optional members. */
function anyPoints(seed: number) {
  const chance = chanceOf(seed);
  const isFine = seed % 2 === 0;
  const absent = ["speed", "heading", "alt", "satellites", "precision", "gsm_lbs", "buffered"].filter(
    () => chance() < 0.3,
  );
  let time = BEGIN;
  return Array.from({ length: 40 }, () => {
    time += 1000 + Math.floor(chance() * (isFine ? 60_123 : 60)) * (isFine ? 1 : 1000);
    const digits = 10 ** Math.floor(chance() * 9);
    const rounded = (value: number) => Math.round(value * digits) / digits;
    const maybe = <Value>(value: Value) => (chance() < 0.2 ? null : value);
    const written = new Date(time).toISOString();
    const point = {
      time: [time, written, isFine ? written : written.replace(".000", "")][Math.floor(chance() * 3)],
      lat: rounded(chance() * 180 - 90),
      lng: rounded(chance() * 360 - 180),
      speed: maybe(rounded(chance() * 200)),
      heading: maybe(rounded(chance() * 360)),
      alt: maybe(rounded(chance() * 4000 - 500)),
      satellites: maybe(Math.floor(chance() * 20)),
      precision: maybe(rounded(chance() * 50)),
      gsm_lbs: chance() < 0.3,
      buffered: maybe(chance() < 0.5),
    };
    return Object.fromEntries(Object.entries(point).filter(([name]) => !absent.includes(name)));
  });
}

const CHANGES = [...'0123456789-+.eE,:"{}[] \n\tZTx', "null", "true", '"lat":1,', "\\"];
