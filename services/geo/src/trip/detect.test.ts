import { expect, test } from "vitest";
import { chanceOf } from "../../../../test/tool/chance.ts";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { recordedTrack } from "../../../../test/tool/point/recorded.ts";
import { DEFAULT_TRIP_SETTINGS, type Trip, type TripSettings, tripStart } from "../object/trip.ts";
import { comparePoints, mergePoints, type Point } from "../point/point.ts";
import { advanceTrips, movementOf, runningTrip } from "./detect.ts";

const MINUTE = 60;
const START = pointAt(0).time;

test("a trip goes from its first fast point to its last, and parking starts there", () => {
  const [trip, ...others] = tripsOf([...stand(0, 4), ...drive(4, 10), ...stand(10, 20)]);
  expect(others).toEqual([]);
  expect(minutesOf(trip)).toEqual([4, 9]);
  expect(trip).toMatchObject({ kind: "regular", points: 6, max_speed_kmh: 60 });
  expect(trip?.length_meters).toBeCloseTo(5000, -2);
});

test("a stop of the idle time splits a trip, a shorter one does not", () => {
  expect(tripsOf([...drive(0, 10), ...stand(10, 14), ...drive(14, 20), ...stand(20, 30)]).map(minutesOf)).toEqual([
    [0, 19],
  ]);
  expect(tripsOf([...drive(0, 10), ...stand(10, 16), ...drive(16, 20), ...stand(20, 30)]).map(minutesOf)).toEqual([
    [0, 9],
    [16, 19],
  ]);
});

test("one faster point resets the idle time", () => {
  const stops = [...drive(0, 10), ...stand(10, 14), ...drive(14, 15), ...stand(15, 19), ...drive(19, 22)];
  expect(tripsOf(stops).map(minutesOf)).toEqual([[0, 21]]);
});

test("the last slow point counts until the next point, so that a silent stop splits too", () => {
  expect(tripsOf([...drive(0, 10), ...stand(10, 11), ...drive(20, 25)]).map(minutesOf)).toEqual([
    [0, 9],
    [20, 24],
  ]);
});

test("a gap of more than 30 minutes ends a trip at the earlier point, a shorter one does not", () => {
  expect(tripsOf([...drive(0, 10), ...drive(39, 45)]).map(minutesOf)).toEqual([[0, 44]]);
  expect(tripsOf([...drive(0, 10), ...drive(40, 45)]).map(minutesOf)).toEqual([
    [0, 9],
    [40, 44],
  ]);
});

test("a point alone between gaps is a single report when fast, parking when slow", () => {
  const lone = (speed: number) =>
    tripsOf([...drive(0, 5), pointAt(60 * MINUTE, { speed, precision: 12 }), ...drive(120, 125)]);
  expect(lone(40).map(({ kind }) => kind)).toEqual(["regular", "single_report", "regular"]);
  expect(lone(40)[1]).toMatchObject({ points: 1, length_meters: 0, precision: 12 });
  expect(lone(2).map(({ kind }) => kind)).toEqual(["regular", "regular"]);
});

test("a device that reports once an hour gives one single report an hour, by the distance it made", () => {
  const hourly = [0, 1, 2, 3].map((hour) => pointAt(hour * 60 * MINUTE, { lat: 50 + hour / 10 }));
  expect(tripsOf(hourly).map(({ kind }) => kind)).toEqual(["single_report", "single_report", "single_report"]);
});

test("a vehicle that was moved during a silence and then stands has made no trip", () => {
  expect(tripsOf([...stand(0, 5), ...stand(100, 110).map(withoutSpeed)])).toEqual([]);
});

test("a speed threshold of 0 makes nothing idle: only gaps split trips", () => {
  const settings = { idle_speed_threshold: 0 };
  expect(tripsOf([...stand(0, 60), ...drive(60, 65), ...stand(100, 110)], settings).map(minutesOf)).toEqual([
    [0, 64],
    [100, 109],
  ]);
});

test("a trip with ignition awareness starts with the ignition on and ends at once when it goes off", () => {
  const [off, on] = [{ inputs: 0 }, { inputs: 1 }];
  const points = [
    ...drive(0, 5, off),
    ...drive(5, 10, on),
    ...stand(10, 11, off),
    ...drive(11, 15, on),
    ...stand(15, 30, on),
  ];
  expect(tripsOf(points, { ignition_aware: true }).map(minutesOf)).toEqual([
    [5, 9],
    [11, 14],
  ]);
  expect(tripsOf(points).map(minutesOf)).toEqual([[0, 14]]);
});

test("a trip with ignition awareness goes on while it is fast, as when it is towed", () => {
  const points = [...drive(0, 5, { inputs: 1 }), ...drive(5, 10, { inputs: 0 }), ...stand(10, 20)];
  expect(tripsOf(points, { ignition_aware: true }).map(minutesOf)).toEqual([[0, 9]]);
});

test("a speed without motion counts as none with motion awareness, and missing motion changes nothing", () => {
  const [moving, still] = [{ attributes: { motion: true } }, { attributes: { is_moving: false } }];
  const points = [...drive(0, 5, still), ...drive(5, 10, moving), ...drive(10, 20, still), ...drive(20, 25)];
  expect(tripsOf(points, { motion_sensor_aware: true }).map(minutesOf)).toEqual([
    [5, 9],
    [20, 24],
  ]);
});

test("ignition wins over motion when both are on", () => {
  const points = [...drive(0, 5, { inputs: 1, attributes: { motion: false } }), ...stand(5, 15)];
  expect(tripsOf(points, { ignition_aware: true, motion_sensor_aware: true })).toHaveLength(1);
});

test("a speed computed from a step says that the step was driven: it belongs to the trip", () => {
  const silent = [0, 1, 2, 3].map((minute) => pointAt(minute * MINUTE, { lat: 50 + minute / 100 }));
  const [trip] = tripsOf([...silent, ...stand(4, 15, { lat: 50.03 })]);
  expect(minutesOf(trip)).toEqual([0, 3]);
  expect(trip?.points).toBe(4);
  expect(trip?.length_meters).toBeCloseTo(3 * 1112, -1);
});

test("LBS points are counted, and bounds hold the whole trip over the date line", () => {
  const points = [0, 1, 2].map((minute) =>
    pointAt(minute * MINUTE, { lng: minute === 0 ? 179.99 : -180 + minute / 100, speed: 50, gsm_lbs: minute === 1 }),
  );
  const [trip] = tripsOf(points);
  expect(trip).toMatchObject({ lbs_points: 1, bounds: { south: 50, north: 50, west: 179.99, east: -179.98 } });
});

test("a drive gives one trip at one point a second and at one in 15 seconds, its jump included", () => {
  const [everySecond, sparse] = ["car-drive-every-second.json", "car-drive-every-15-seconds.json"].map((file) =>
    tripsOf(recordedTrack(file)),
  );
  const mileage = (trips: Trip[] = []) => trips.reduce((sum, { length_meters }) => sum + length_meters, 0);
  expect(everySecond).toHaveLength(1);
  expect(sparse).toHaveLength(1);
  expect(Math.abs(mileage(everySecond) / mileage(sparse) - 1)).toBeLessThan(0.03);
  expect(everySecond?.[0]?.max_speed_kmh).toBeLessThan(140);
});

test("tracks that lie hours apart are trips of their own", () => {
  const points = recordedTrack("several-tracks-with-gaps.gpx");
  const trips = tripsOf(points);
  // The receiver was switched on a third time, but did not move.
  expect(trips).toHaveLength(2);
  for (const { start_time, end_time } of trips) {
    const inside = points.filter(({ time }) => time >= start_time && time <= end_time);
    for (const [index, { time }] of inside.entries())
      expect(time - (inside[index - 1]?.time ?? time)).toBeLessThan(1_800_000);
  }
});

test("a walk with a pause of six minutes keeps its length", () => {
  const trips = tripsOf(recordedTrack("half-hour-track.gpx"));
  const length = trips.reduce((sum, { length_meters }) => sum + length_meters, 0);
  expect(length).toBeGreaterThan(4500);
  expect(length).toBeLessThan(4900);
});

test("a trip state that was stored and restored finds the same trips", () => {
  const points = [...drive(0, 10), ...stand(10, 13), ...drive(13, 20), ...stand(20, 40), ...drive(40, 50)];
  for (let cut = 0; cut <= points.length; cut++) {
    let state = tripStart();
    const found: (Trip | null)[] = [];
    for (const point of points.slice(0, cut)) found.push(advanceTrips(state, point, rulesOf()));
    state = JSON.parse(JSON.stringify(state));
    for (const point of points.slice(cut)) found.push(advanceTrips(state, point, rulesOf()));
    expect([...found, runningTrip(state)].filter(Boolean)).toEqual(tripsOf(points));
  }
});

test("any order of arrival and any batches give the trips of one sorted pass", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const chance = chanceOf(seed);
    const points = Array.from({ length: 200 }, (_, index) =>
      pointAt(index * 40 + Math.floor(chance() * 40), {
        lat: 50 + index / 1000,
        speed: chance() < 0.3 ? null : index % 40 < 20 ? 50 : 1,
      }),
    );
    const arrivals = points.map((point) => ({ point, order: chance() })).sort((a, b) => a.order - b.order);
    let stored: Point[] = [];
    for (let index = 0; index < arrivals.length; index += 17) {
      const batch = arrivals.slice(index, index + 17).map(({ point }) => point);
      stored = mergePoints(stored, batch.sort(comparePoints));
    }
    expect(tripsOf(stored)).toEqual(tripsOf(points));
  }
});

test("movement follows the trip, and time alone makes a stop or a silence parking", () => {
  const at = (points: Point[], minute: number) => {
    const state = tripStart();
    for (const point of points) advanceTrips(state, point, rulesOf());
    const movement = movementOf(state, rulesOf(), START + minute * MINUTE * 1000);
    return movement && [movement.status, (movement.since - START) / MINUTE / 1000];
  };
  expect(at([], 0)).toBeNull();
  expect(at(stand(0, 3), 3)).toEqual(["parked", 0]);
  expect(at(drive(0, 5), 5)).toEqual(["moving", 0]);
  expect(at(drive(0, 5), 36)).toEqual(["parked", 4]);
  expect(at([...drive(0, 5), ...stand(5, 6)], 6)).toEqual(["stopped", 5]);
  expect(at([...drive(0, 5), ...stand(5, 6)], 10)).toEqual(["parked", 4]);
  expect(at([...drive(0, 5), ...stand(5, 20)], 20)).toEqual(["parked", 4]);
});

function rulesOf(settings: Partial<TripSettings> = {}) {
  return { ...DEFAULT_TRIP_SETTINGS, ...settings, gapMs: 1_800_000 };
}

function tripsOf(points: Point[], settings: Partial<TripSettings> = {}): Trip[] {
  const state = tripStart();
  const trips = points.map((point) => advanceTrips(state, point, rulesOf(settings)));
  return [...trips, runningTrip(state)].filter((trip) => trip !== null);
}

/** A point a minute at 60 km/h, one kilometre to the north each, from one minute up to, not including, another. */
function drive(from: number, to: number, given: Partial<Point> = {}) {
  return minutes(from, to).map((minute) => pointAt(minute * MINUTE, { lat: 50 + minute * 0.009, speed: 60, ...given }));
}

function stand(from: number, to: number, given: Partial<Point> = {}) {
  return minutes(from, to).map((minute) => pointAt(minute * MINUTE, { lat: 50 + from * 0.009, speed: 0, ...given }));
}

function withoutSpeed(point: Point): Point {
  return { ...point, speed: null };
}

function minutes(from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function minutesOf(trip: Trip | undefined) {
  return trip && [(trip.start_time - START) / MINUTE / 1000, (trip.end_time - START) / MINUTE / 1000];
}
