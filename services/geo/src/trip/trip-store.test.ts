import { expect, test } from "vitest";
import { newObjectStorage } from "../../../../test/tool/system/object-storage.ts";
import type { Trip } from "../object/trip.ts";
import { TripStore } from "./trip-store.ts";

test("TripStore stores changes of trips when they are read or at a flush", () => {
  const { book, stored } = newBook();
  const id = book.add(tripAt(10));
  book.put({ ...tripAt(10, 20), id });
  expect(stored()).toEqual([]);
  expect(book.touching(15, 15)).toEqual([{ ...tripAt(10, 20), id }]);
  expect(stored()).toEqual([{ id, end_time: 20 }]);
  book.put({ ...tripAt(10, 30), id });
  expect(stored()).toEqual([{ id, end_time: 20 }]);
  book.store();
  expect(stored()).toEqual([{ id, end_time: 30 }]);
});

test("TripStore never gives an id again that a caller has seen, also when its trip was removed", () => {
  const { book, storage, stored } = newBook();
  const told = book.add(tripAt(10));
  expect(book.byIds([told])).toHaveLength(1);
  book.remove(told);
  const untold = book.add(tripAt(20));
  // A restarted object finds that trip again, and no caller has seen its id.
  const next = new TripStore(storage);
  expect(next.add(tripAt(20))).toBe(untold);
  expect(untold).toBeGreaterThan(told);
  book.store();
  expect(stored()).toEqual([{ id: untold, end_time: 20 }]);
  expect(new TripStore(storage).add(tripAt(30))).toBeGreaterThan(untold);
});

test("TripStore leaves no row of a trip that was removed before it was read, and does not give its id again", () => {
  const { book, stored } = newBook();
  const short = book.add(tripAt(10));
  book.remove(short);
  book.store();
  expect(stored()).toEqual([]);
  expect(book.add(tripAt(20))).toBeGreaterThan(short);
});

test("TripStore keeps the ids of trips that are found again, and forgets those that end before the limit", () => {
  const { book, stored } = newBook();
  const [first, second] = [book.add(tripAt(10, 20)), book.add(tripAt(30, 40))];
  book.replace(30, 100, [tripAt(30, 50)]);
  expect(stored()).toEqual([
    { id: first, end_time: 20 },
    { id: second, end_time: 50 },
  ]);
  const third = book.add(tripAt(60));
  book.forget(20);
  expect(stored()).toEqual([
    { id: second, end_time: 50 },
    { id: third, end_time: 60 },
  ]);
});

function newBook() {
  const storage = newObjectStorage();
  const stored = () => storage.sql.exec("SELECT id, end_time FROM trip ORDER BY id").toArray();
  return { storage, book: new TripStore(storage), stored };
}

function tripAt(start_time: number, end_time = start_time): Trip {
  const bounds = { south: 1, west: 1, north: 1, east: 1 };
  return {
    ...{ kind: "regular", start_time, start_lat: 1, start_lng: 1, end_time, end_lat: 1, end_lng: 1 },
    ...{ length_meters: 5, max_speed_kmh: 9, points: 2, lbs_points: 0, bounds, precision: null },
  };
}
