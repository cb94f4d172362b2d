import { expect, test } from "vitest";
import { recordedTrack } from "../../../../test/tool/point/recorded.ts";
import { simplify } from "./simplify.ts";

test("a track within the limit stays whole", () => {
  expect(simplify([{ lat: 0, lng: 0 }], 2)).toEqual([0]);
  expect(simplify([], 2)).toEqual([]);
});

test("the corners stay, what lies on straight lines goes", () => {
  const track = Array.from({ length: 101 }, (_, index) => ({
    lat: index < 50 ? 0 : (index - 50) / 100,
    lng: Math.min(index, 50) / 100,
  }));
  expect(simplify(track, 10)).toEqual([0, 50, 100]);
});

test("the ends and what must be kept stay, the limit holds, the order is that of time", () => {
  const track = recordedTrack("x0001-001.json");
  const kept = simplify(track, 100, [300, 7]);
  expect(kept).toHaveLength(100);
  expect(kept).toEqual(expect.arrayContaining([0, 7, 300, track.length - 1]));
  expect(kept).toEqual([...kept].sort((a, b) => a - b));
});

test("more points never make it worse: each limit keeps what a lower one kept", () => {
  const track = recordedTrack("x0001-001.json");
  expect(simplify(track, 200)).toEqual(expect.arrayContaining(simplify(track, 50)));
});

test("the date line is no corner", () => {
  const track = [179.98, 179.99, -180, -179.99, -179.98].map((lng) => ({ lat: 10, lng }));
  expect(simplify(track, 3)).toEqual([0, 4]);
});

test("a zigzag that is split at its end each time takes time by its length", () => {
  const timeOf = (count: number) => {
    const track = Array.from({ length: count }, (_, index) => ({
      lat: (index % 2 === 0 ? 60 : -60) * (1 - index / count),
      lng: index / count,
    }));
    const start = performance.now();
    expect(simplify(track, count / 2)).toHaveLength(count / 2);
    return Math.max(performance.now() - start, 10);
  };
  timeOf(5_000);
  expect(timeOf(80_000) / timeOf(5_000)).toBeLessThan(16 * 4);
});

test("a track that is split too deep keeps its ends, the limit and what lower limits kept", () => {
  const track = Array.from({ length: 4000 }, (_, index) => ({
    lat: (index % 2 === 0 ? 60 : -60) * (1 - index / 4000),
    lng: index / 4000,
  }));
  const [few, many] = [simplify(track, 1000), simplify(track, 3000)];
  expect(many).toHaveLength(3000);
  expect(many).toEqual(expect.arrayContaining(few));
  expect([many[0], many.at(-1)]).toEqual([0, 3999]);
  // Nothing is left out for good.
  expect(simplify(track, 3999)).toHaveLength(3999);
});

test("a vehicle that stands still, and a way there and back, end", () => {
  expect(simplify(Array(5000).fill({ lat: 1, lng: 1 }), 100)).toEqual([0, 4999]);
  const back = [0, 1, 2, 3, 2, 1, 0].map((lng) => ({ lat: 0, lng }));
  expect(simplify(back, 3)).toEqual([0, 3, 6]);
});
