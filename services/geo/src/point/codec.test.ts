import { expect, test } from "vitest";
import { chanceOf } from "../../../../test/tool/chance.ts";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { recordedTrack } from "../../../../test/tool/point/recorded.ts";
import { decodeIdentities, decodePoints, encodePoints } from "./codec.ts";
import { identitiesOf } from "./identities.ts";
import { measurePoints } from "./measured.ts";
import { comparePoints, type Point } from "./point.ts";

const FORMS = ["raw", "deflated"] as const;

test.each(FORMS)("points that are encoded as %s decode to any points that were stored", (form) => {
  for (let seed = 1; seed <= 60; seed++) {
    const points = anyPoints(seed);
    expect(decodePoints(encodePoints(points, form))).toEqual(points);
  }
});

test.each(FORMS)("no point and one point that are encoded as %s decode to themselves", (form) => {
  expect(decodePoints(encodePoints([], form))).toEqual([]);
  expect(decodePoints(encodePoints([pointAt(0)], form))).toEqual([pointAt(0)]);
});

test.each(FORMS)("decodePoints refuses a cut or changed byte of points encoded as %s", (form) => {
  const bytes = encodePoints(anyPoints(7).slice(0, 40), form);
  for (let length = 0; length < bytes.length; length++) {
    expect(() => decodePoints(bytes.subarray(0, length))).toThrow("points cannot be decoded");
  }
  for (let index = 2; index < bytes.length; index++) {
    const changed = Uint8Array.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 0x10;
    expect(() => decodePoints(changed)).toThrow("points cannot be decoded");
  }
  expect(() => decodePoints(Uint8Array.from([9, ...bytes.subarray(1)]))).toThrow("unknown version 9");
});

test("encodePoints takes at most 8 bytes for a point of a real drive, and next to nothing for absent columns", () => {
  const bare = recordedTrack("car-drive-every-second.json");
  const chance = chanceOf(5);
  const { speedsKmh } = measurePoints(bare, null);
  const full = bare.map((point, index) => ({
    ...point,
    speed: Math.round((speedsKmh[index] ?? 0) * 10) / 10,
    heading: Math.floor(((index * 7) % 360) + 10 * chance()),
    alt: Math.round(510 + 4 * chance()),
    satellites: 8 + Math.floor(4 * chance()),
  }));
  expect(encodePoints(full, "deflated").length / full.length).toBeLessThan(8);

  const positions = encodePoints(bare, "raw").length;
  const named = bare.map((point, index) => (index === 0 ? { ...point, buffered: true } : point));
  expect(encodePoints(named, "raw").length - positions).toBeLessThan(bare.length / 8 + 16);
  expect(encodePoints(named, "deflated").length - encodePoints(bare, "deflated").length).toBeLessThan(20);
});

/** Points of the first version, which journals may still hold. */
const FIRST_VERSION = [
  "AQBmT8tCFOgHAYCUxaENFBQUFBQUFBQUFBQUFBQUFBQUFAGAwtcvSt4B8gKGBJoFrgbCB9YI6gn+CpIMpg26Ds4P4hD2EYoT",
  "nhSyFQGAyNAHtQa1BrUGtQa1BrUGtQa1BrUGtQa1BrUGtQa1BrUGtQa1BrUGtQYFDzIyMmQyMmQyMmQyMmQyMu7uDgEAUFBQ",
  "UFBQUFD/BFBQUFBQUFBQ/wRQAAEOAgICAgcCAgICBwICAgIHAgICAgUBGAgAAAEAAAAAAAAAAAAAAgAAAAAAAAAAAAIgAAAC",
  "BwAAbVtudWxsLG51bGwsbnVsbCxudWxsLG51bGwsbnVsbCxudWxsLHsiaGRvcCI6MC43fSxudWxsLG51bGwsbnVsbCxudWxs",
  "LG51bGwsbnVsbCxudWxsLG51bGwsbnVsbCxudWxsLG51bGwsbnVsbF0=",
].join("");

test("decodePoints reads rows of the first version as they were stored", () => {
  const bytes = Uint8Array.from(atob(FIRST_VERSION), (character) => character.charCodeAt(0));
  const points = Array.from({ length: 20 }, (_, index) => ({
    ...pointAt(0),
    time: 1_780_000_000_000 + index * 10_000,
    lat: (50_000_000 + index * index * 37) / 1e6,
    lng: (8_000_000 - index * 411) / 1e6,
    speed: index % 4 === 0 ? null : index * 2.5,
    heading: (index * 40) % 360,
    alt: null,
    satellites: 7 + (index % 5),
    precision: index === 3 ? 12 : null,
    inputs: index > 9 ? 1 : 0,
    gsm_lbs: index === 5,
    buffered: index < 3,
    attributes: index === 7 ? { hdop: 0.7 } : null,
  }));
  expect(decodePoints(bytes)).toEqual(points);
  expect(bytes[0]).toBe(1);
  expect(encodePoints(points, "raw")[0]).toBe(2);
});

test.each(["raw", "deflated"] as const)(
  "decodeIdentities of points encoded as %s gives the points' identities",
  (form) => {
    const points = anyPoints(3);
    expect(decodeIdentities(encodePoints(points, form))).toEqual(identitiesOf(points));
  },
);

test("decodePoints reads points of the second version at any offset in memory", () => {
  const points = anyPoints(9);
  const bytes = encodePoints(points, "raw");
  const moved = new Uint8Array(bytes.length + 3);
  moved.set(bytes, 3);
  expect(decodePoints(moved.subarray(3))).toEqual(points);
});

test("decodePoints leaves earlier results unchanged by later ones", () => {
  const identities = decodeIdentities(encodePoints(anyPoints(3), "raw"));
  const bytes = encodePoints(anyPoints(4), "raw");
  const points = decodePoints(bytes);
  decodePoints(encodePoints(anyPoints(5), "raw"));
  expect(identities).toEqual(identitiesOf(anyPoints(3)));
  expect(points).toEqual(anyPoints(4));
  expect(bytes).toEqual(encodePoints(anyPoints(4), "raw"));
});

function anyPoints(seed: number): Point[] {
  const chance = chanceOf(seed);
  const often = chance();
  const unit = chance() < 0.5 ? 1000 : 1;
  const maybe = <Value>(value: Value) => (chance() < often ? value : null);
  const edge = (value: number, edges: number[]) =>
    chance() < 0.1 ? (edges[Math.floor(chance() * edges.length)] ?? 0) : value;
  return Array.from({ length: 1 + Math.floor(chance() * 120) }, () => ({
    ...pointAt(0),
    time: Math.floor(edge(chance() * 4e12, [946_684_800_000, 4e12, 1000]) / unit) * unit,
    lat: Math.round(edge(chance() * 180 - 90, [90, -90, 0]) * 1e6) / 1e6,
    lng: Math.round(edge(chance() * 360 - 180, [180, -180, 0]) * 1e6) / 1e6,
    speed: maybe(Math.round(chance() * 3000) / 10),
    heading: maybe(Math.floor(chance() * 361)),
    alt: maybe(Math.floor(edge(chance() * 5000 - 500, [-11_000, 12_000_000]))),
    satellites: maybe(Math.floor(chance() * 40)),
    precision: maybe(Math.floor(edge(chance() * 100, [4_000_000_000]))),
    inputs: maybe(Math.floor(edge(chance() * 256, [0, 255, 2 ** 32 - 1]))),
    gsm_lbs: chance() < often / 2,
    buffered: chance() < often,
    attributes: maybe({ "Größe 🚚": chance(), text: "\u0000\u2028ab", flag: chance() < 0.5 }),
  })).sort(comparePoints);
}
