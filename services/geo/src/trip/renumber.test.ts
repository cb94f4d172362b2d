import { expect, test } from "vitest";
import type { Trip } from "../object/trip.ts";
import { renumber } from "./renumber.ts";

test("renumber keeps the ids of trips that did not change, and gives new ones new ids", () => {
  expect(idsOf([oldTrip(4, 0, 10), oldTrip(5, 20, 30)], [trip(0, 10), trip(12, 15), trip(20, 30)], 6)).toEqual([
    4, 6, 5,
  ]);
});

test("renumber keeps the earlier id where trips merge", () => {
  expect(idsOf([oldTrip(4, 0, 10), oldTrip(5, 20, 30)], [trip(0, 30)], 6)).toEqual([4]);
  // The lower id is the older one, even if late points made its trip the later one.
  expect(idsOf([oldTrip(9, 0, 10), oldTrip(5, 20, 30)], [trip(0, 30)], 10)).toEqual([5]);
});

test("renumber keeps the id for the first part of a trip that splits", () => {
  expect(idsOf([oldTrip(4, 0, 30), oldTrip(5, 40, 50)], [trip(0, 10), trip(20, 30), trip(40, 50)], 6)).toEqual([
    4, 6, 5,
  ]);
});

test("renumber gives no id twice when boundaries move over each other", () => {
  expect(idsOf([oldTrip(4, 0, 20), oldTrip(5, 21, 40)], [trip(0, 25), trip(30, 40), trip(41, 50)], 6)).toEqual([
    4, 5, 6,
  ]);
});

test("renumber does not reuse an id that lost its trip", () => {
  const { trips, nextId } = renumber([oldTrip(4, 0, 10)], [trip(50, 60)], 5);
  expect(trips.map(({ id }) => id)).toEqual([5]);
  expect(nextId).toBe(6);
});

function idsOf(old: ReturnType<typeof oldTrip>[], found: Trip[], nextId: number) {
  return renumber(old, found, nextId).trips.map(({ id }) => id);
}

function oldTrip(id: number, start: number, end: number) {
  return { id, ...trip(start, end) };
}

function trip(start_time: number, end_time: number): Trip {
  const ends = { start_time, start_lat: 0, start_lng: 0, end_time, end_lat: 0, end_lng: 0 };
  const bounds = { south: 0, west: 0, north: 0, east: 0 };
  return {
    kind: "regular",
    ...ends,
    length_meters: 0,
    max_speed_kmh: 0,
    points: 2,
    lbs_points: 0,
    bounds,
    precision: null,
  };
}
