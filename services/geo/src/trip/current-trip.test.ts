import { expect, test } from "vitest";
import { chanceOf } from "../../../../test/tool/chance.ts";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { newObjectStorage } from "../../../../test/tool/system/object-storage.ts";
import { cutChunks } from "../chunk/plan.ts";
import type { PointMemory } from "../journal/point-memory.ts";
import { DEFAULT_TRIP_SETTINGS } from "../object/trip.ts";
import { comparePoints, type Identity, type Point } from "../point/point.ts";
import { CurrentTrip } from "./current-trip.ts";
import { TripStore } from "./trip-store.ts";

const RULES = { ...DEFAULT_TRIP_SETTINGS, gapMs: 30 * 60_000 };

test("the current trip is equal whether each point is evaluated at once, later or with its chunk", () => {
  const points = newDrive(6000);
  const atOnce = newLive();
  for (const point of points) {
    atOnce.add([point]);
    atOnce.live.trip();
  }
  const expected = atOnce.answers();
  expect(expected.trips.length).toBeGreaterThan(20);

  const atTheEnd = newLive();
  for (let start = 0; start < points.length; start += 500) atTheEnd.add(points.slice(start, start + 500));
  expect(atTheEnd.answers()).toEqual(expected);

  for (const seed of [1, 2, 3, 4]) expect(flushAtRandom(points, chanceOf(seed)).answers()).toEqual(expected);
});

test("the current trip ignores chunks that were evaluated already or hold nothing new", () => {
  const points = newDrive(2000);
  const { live, add, answers } = newLive();
  add(points);
  const expected = answers();
  live.noteNewPoints();
  live.processChunks(cutChunks(points));
  live.processChunks(cutChunks(points.slice(100, 150)));
  live.processChunks([]);
  expect(answers()).toEqual(expected);
});

/** Live trips evaluated in random order by readers and by chunks, which repeat points of earlier chunks. */
function flushAtRandom(points: Point[], chance: () => number) {
  const trips = newLive();
  let [taken, stored] = [0, 0];
  while (taken < points.length) {
    const count = 1 + Math.floor(chance() * 700);
    trips.add(points.slice(taken, taken + count));
    taken = Math.min(points.length, taken + count);
    const choice = chance();
    if (choice < 0.3) trips.live.movement(0);
    else if (choice < 0.7) {
      trips.live.processChunks(cutChunks(points.slice(Math.max(0, stored - 300), taken)));
      stored = taken;
    }
  }
  return trips;
}

function newLive() {
  const open: Point[] = [];
  const after = (point: Identity | null) => (point ? open.filter((own) => comparePoints(own, point) > 0) : open);
  const store = new TripStore(newObjectStorage());
  const live = new CurrentTrip({ after } as unknown as PointMemory, store, () => RULES);
  return {
    live,
    add(points: Point[]) {
      open.push(...points);
      live.noteNewPoints();
    },
    answers() {
      const [underWay, moved] = [live.trip(), live.lastMoved()];
      const ended = store.touching(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      return { underWay, moved, movement: live.movement(0), trips: ended.filter(({ id }) => id !== underWay?.id) };
    },
  };
}

/** A point every 20 seconds, now fast and now slow; some without a speed, some after a silence. */
function newDrive(count: number): Point[] {
  const chance = chanceOf(5);
  let second = 0;
  return Array.from({ length: count }, (_, index) => {
    second += chance() < 0.003 ? 4000 : 20;
    const speed = chance() < 0.2 ? null : Math.floor(index / 60) % 2 ? chance() * 2 : 40 + chance() * 9;
    return pointAt(second, { lat: 40 + index * 0.001, speed });
  });
}
