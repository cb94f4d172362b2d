import { expect, test } from "vitest";
import { newObjectStorage } from "../../../../test/tool/system/object-storage.ts";
import type { Trip } from "../object/trip.ts";
import { TripStore } from "./trip-store.ts";

test("TripStore stores changes of trips when they are read or at a flush", () => {
  const { trips, stored } = newStore();
  const id = trips.add(tripAt(10));
  trips.put({ ...tripAt(10, 20), id });
  expect(stored()).toEqual([]);
  expect(trips.touching(15, 15)).toEqual([{ ...tripAt(10, 20), id }]);
  expect(stored()).toEqual([{ id, end_time: 20 }]);
  trips.put({ ...tripAt(10, 30), id });
  expect(stored()).toEqual([{ id, end_time: 20 }]);
  trips.store();
  expect(stored()).toEqual([{ id, end_time: 30 }]);
});

test("TripStore never gives an id again that a caller has seen, also when its trip was removed", () => {
  const { trips, storage, stored } = newStore();
  const seen = trips.add(tripAt(10));
  expect(trips.byIds([seen])).toHaveLength(1);
  trips.remove(seen);
  const unseen = trips.add(tripAt(20));
  // A restarted object finds that trip again, and no caller has seen its id.
  const next = new TripStore(storage);
  expect(next.add(tripAt(20))).toBe(unseen);
  expect(unseen).toBeGreaterThan(seen);
  trips.store();
  expect(stored()).toEqual([{ id: unseen, end_time: 20 }]);
  expect(new TripStore(storage).add(tripAt(30))).toBeGreaterThan(unseen);
});

test("TripStore leaves no row of a trip that was removed before it was read, and does not give its id again", () => {
  const { trips, stored } = newStore();
  const short = trips.add(tripAt(10));
  trips.remove(short);
  trips.store();
  expect(stored()).toEqual([]);
  expect(trips.add(tripAt(20))).toBeGreaterThan(short);
});

test("TripStore keeps the ids of trips that are found again, and forgets those that end before the limit", () => {
  const { trips, stored } = newStore();
  const [first, second] = [trips.add(tripAt(10, 20)), trips.add(tripAt(30, 40))];
  trips.replace(30, 100, [tripAt(30, 50)]);
  expect(stored()).toEqual([
    { id: first, end_time: 20 },
    { id: second, end_time: 50 },
  ]);
  const third = trips.add(tripAt(60));
  trips.forget(20);
  expect(stored()).toEqual([
    { id: second, end_time: 50 },
    { id: third, end_time: 60 },
  ]);
});

function newStore() {
  const storage = newObjectStorage();
  const stored = () => storage.sql.exec("SELECT id, end_time FROM trip ORDER BY id").toArray();
  return { storage, trips: new TripStore(storage), stored };
}

function tripAt(start_time: number, end_time = start_time): Trip {
  const bounds = { south: 1, west: 1, north: 1, east: 1 };
  return {
    ...{ kind: "regular", start_time, start_lat: 1, start_lng: 1, end_time, end_lat: 1, end_lng: 1 },
    ...{ length_meters: 5, max_speed_kmh: 9, points: 2, lbs_points: 0, bounds, precision: null },
  };
}
