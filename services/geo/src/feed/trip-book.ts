import type { Trip } from "../trip/detect.ts";
import { type NumberedTrip, renumber } from "../trip/renumber.ts";

/** The tracker's trips under their ids. An id is never given twice, not even after its trip is removed. */
export class TripBook {
  #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS trip (id INTEGER PRIMARY KEY, start_time INTEGER NOT NULL, end_time INTEGER NOT NULL, trip TEXT NOT NULL)",
    );
    storage.sql.exec("CREATE INDEX IF NOT EXISTS trip_start ON trip (start_time)");
  }

  add(trip: Trip): number {
    const id = this.#nextId();
    this.#storage.kv.put(NEXT_ID, id + 1);
    this.put({ ...trip, id });
    return id;
  }

  put(trip: NumberedTrip) {
    const text = JSON.stringify(trip);
    this.#storage.sql.exec(
      "INSERT OR REPLACE INTO trip (id, start_time, end_time, trip) VALUES (?, ?, ?, ?)",
      trip.id,
      trip.start_time,
      trip.end_time,
      text,
    );
  }

  /** All that start within [from, until], in time order. */
  starting(from: number, until: number): NumberedTrip[] {
    return this.#read("start_time >= ? AND start_time <= ? ORDER BY start_time, end_time", limit(from), limit(until));
  }

  /** All that touch [from, to], in time order. */
  touching(from: number, to: number): NumberedTrip[] {
    return this.#read("start_time <= ? AND end_time >= ? ORDER BY start_time, end_time", limit(to), limit(from));
  }

  byIds(ids: number[]): NumberedTrip[] {
    return this.#read("id IN (SELECT value FROM json_each(?)) ORDER BY start_time", JSON.stringify(ids));
  }

  /** What was found stands for all that were known to start within the stretch. */
  replace(from: number, until: number, found: Trip[]): NumberedTrip[] {
    const old = this.starting(from, until);
    const nextId = this.#nextId();
    const fresh = renumber(old, found, nextId);
    if (fresh.nextId !== nextId) this.#storage.kv.put(NEXT_ID, fresh.nextId);

    const before = new Map(old.map((trip) => [trip.id, JSON.stringify(trip)]));
    for (const trip of fresh.trips) {
      if (before.get(trip.id) !== JSON.stringify(trip)) this.put(trip);
      before.delete(trip.id);
    }
    for (const id of before.keys()) this.remove(id);
    return fresh.trips;
  }

  remove(id: number) {
    this.#storage.sql.exec("DELETE FROM trip WHERE id = ?", id);
  }

  forget(until: number) {
    this.#storage.sql.exec("DELETE FROM trip WHERE end_time <= ?", until);
  }

  #nextId() {
    return this.#storage.kv.get<number>(NEXT_ID) ?? 1;
  }

  #read(condition: string, ...values: (number | string)[]): NumberedTrip[] {
    const rows = this.#storage.sql.exec<{ trip: string }>(`SELECT trip FROM trip WHERE ${condition}`, ...values);
    // Written by `put`.
    return rows.toArray().map(({ trip }) => JSON.parse(trip));
  }
}

/** SQLite has no infinite whole numbers. */
function limit(ms: number) {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, ms));
}

const NEXT_ID = "next_trip_id";
