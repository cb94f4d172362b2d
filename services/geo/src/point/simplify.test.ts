import { expect, test } from "vitest";
import { recordedTrack } from "../../../../test/tool/point/recorded.ts";
import { simplify } from "./simplify.ts";

test("simplify keeps every point of a track within the limit", () => {
  expect(simplify([{ lat: 0, lng: 0 }], 2)).toEqual([0]);
  expect(simplify([], 2)).toEqual([]);
});

test("simplify keeps corners and drops points on straight lines", () => {
  const track = Array.from({ length: 101 }, (_, index) => ({
    lat: index < 50 ? 0 : (index - 50) / 100,
    lng: Math.min(index, 50) / 100,
  }));
  expect(simplify(track, 10)).toEqual([0, 50, 100]);
});

test("simplify keeps both ends and the points of `keep`, holds the limit, and answers indices in ascending order", () => {
  const track = recordedTrack("car-drive-every-second.json");
  const kept = simplify(track, 100, [300, 7]);
  expect(kept).toHaveLength(100);
  expect(kept).toEqual(expect.arrayContaining([0, 7, 300, track.length - 1]));
  expect(kept).toEqual([...kept].sort((a, b) => a - b));
});

test("simplify keeps with each limit what it keeps with a lower one", () => {
  const track = recordedTrack("car-drive-every-second.json");
  expect(simplify(track, 200)).toEqual(expect.arrayContaining(simplify(track, 50)));
});

test("simplify does not take the date line for a corner", () => {
  const track = [179.98, 179.99, -180, -179.99, -179.98].map((lng) => ({ lat: 10, lng }));
  expect(simplify(track, 3)).toEqual([0, 4]);
});

test("simplify compares n log n vertices of a zigzag that is split at its end each time", () => {
  const comparedIn = (length: number) => {
    const track = Array.from({ length }, (_, index) => ({
      lat: (index % 2 === 0 ? 60 : -60) * (1 - index / length),
      lng: index / length,
    }));
    let compared = 0;
    const kept = simplify(track, length / 2, [], (vertices) => {
      compared += vertices;
    });
    expect(kept).toHaveLength(length / 2);
    return compared;
  };
  // The first search alone compares all vertices between both ends.
  expect(comparedIn(5_000)).toBeGreaterThan(5_000);
  expect(comparedIn(80_000) / comparedIn(5_000)).toBeLessThan(16 * (Math.log2(80_000) / Math.log2(5_000)) * 1.1);
});

test("simplify keeps ends, limit and the points of lower limits of a track that is split too deep", () => {
  const track = Array.from({ length: 4000 }, (_, index) => ({
    lat: (index % 2 === 0 ? 60 : -60) * (1 - index / 4000),
    lng: index / 4000,
  }));
  const [few, many] = [simplify(track, 1000), simplify(track, 3000)];
  expect(many).toHaveLength(3000);
  expect(many).toEqual(expect.arrayContaining(few));
  expect([many[0], many.at(-1)]).toEqual([0, 3999]);
  expect(simplify(track, 3999)).toHaveLength(3999);
});

test("simplify ends for a vehicle that stands still, and keeps the turning point of a way there and back", () => {
  expect(simplify(Array(5000).fill({ lat: 1, lng: 1 }), 100)).toEqual([0, 4999]);
  const back = [0, 1, 2, 3, 2, 1, 0].map((lng) => ({ lat: 0, lng }));
  expect(simplify(back, 3)).toEqual([0, 3, 6]);
});
