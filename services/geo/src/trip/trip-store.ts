import type { NumberedTrip, Trip } from "../object/trip.ts";
import { renumber } from "./renumber.ts";

type Row = { start_time: number; end_time: number; text: string };

/**
 * The tracker's trips by id. Ids are never reused, as callers may know them. Changes by points in order are written
 * late, at the next read or flush: a restarted object derives them from the open points again, and most trips begin and
 * end between two flushes.
 */
export class TripStore {
  #storage: DurableObjectStorage;
  #nextId: number;
  /** Trips with this id or a higher one are not stored yet. */
  #firstNew: number;
  /** Unwritten changes by trip id; null: the trip was removed. */
  #changes = new Map<number, Row | null>();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#nextId = this.#firstNew = storage.kv.get<number>(NEXT_ID) ?? 1;
    storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS trip (id INTEGER PRIMARY KEY, start_time INTEGER NOT NULL, end_time INTEGER NOT NULL, trip TEXT NOT NULL)",
    );
    storage.sql.exec("CREATE INDEX IF NOT EXISTS trip_start ON trip (start_time)");
  }

  add(trip: Trip): number {
    const id = this.#nextId++;
    this.put({ ...trip, id });
    return id;
  }

  put(trip: NumberedTrip) {
    // Serialized now, as the object of a trip under way changes later.
    const { id, start_time, end_time } = trip;
    this.#changes.set(id, { start_time, end_time, text: JSON.stringify(trip) });
  }

  remove(id: number) {
    if (id >= this.#firstNew) this.#changes.delete(id);
    else this.#changes.set(id, null);
  }

  /** Writes all unwritten changes. */
  store() {
    const { sql, kv } = this.#storage;
    for (const [id, row] of this.#changes) {
      if (!row) sql.exec("DELETE FROM trip WHERE id = ?", id);
      else {
        const { start_time, end_time, text } = row;
        const into = "INSERT OR REPLACE INTO trip (id, start_time, end_time, trip) VALUES (?, ?, ?, ?)";
        sql.exec(into, id, start_time, end_time, text);
      }
    }
    this.#changes.clear();
    if (this.#nextId === this.#firstNew) return;
    kv.put(NEXT_ID, this.#nextId);
    this.#firstNew = this.#nextId;
  }

  /** Trips that start within [from, until], in time order. */
  startingWithin(from: number, until: number): NumberedTrip[] {
    return this.#read(
      "start_time >= ? AND start_time <= ? ORDER BY start_time, end_time",
      clampToInteger(from),
      clampToInteger(until),
    );
  }

  /** Trips that touch [from, to], in time order. */
  touching(from: number, to: number): NumberedTrip[] {
    return this.#read(
      "start_time <= ? AND end_time >= ? ORDER BY start_time, end_time",
      clampToInteger(to),
      clampToInteger(from),
    );
  }

  byIds(ids: number[]): NumberedTrip[] {
    return this.#read("id IN (SELECT value FROM json_each(?)) ORDER BY start_time", JSON.stringify(ids));
  }

  /**
   * Replaces all trips that start within [from, until] by recomputed ones and writes them at once; answers them with
   * ids.
   */
  replace(from: number, until: number, newTrips: Trip[]): NumberedTrip[] {
    const old = this.startingWithin(from, until);
    const fresh = renumber(old, newTrips, this.#nextId);
    this.#nextId = fresh.nextId;

    const before = new Map(old.map((trip) => [trip.id, JSON.stringify(trip)]));
    for (const trip of fresh.trips) {
      if (before.get(trip.id) !== JSON.stringify(trip)) this.put(trip);
      before.delete(trip.id);
    }
    for (const id of before.keys()) this.remove(id);
    this.store();
    return fresh.trips;
  }

  forget(until: number) {
    this.store();
    this.#storage.sql.exec("DELETE FROM trip WHERE end_time <= ?", until);
  }

  #read(condition: string, ...values: (number | string)[]): NumberedTrip[] {
    this.store();
    const rows = this.#storage.sql.exec<{ trip: string }>(`SELECT trip FROM trip WHERE ${condition}`, ...values);
    // The text was written by `put`.
    return rows.toArray().map(({ trip }) => JSON.parse(trip));
  }
}

/** SQLite has no infinite integers. */
function clampToInteger(ms: number) {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, ms));
}

const NEXT_ID = "next_trip_id";
