import { type TripState, tripStart } from "../object/trip.ts";
import { measureStep } from "../point/measured.ts";
import { comparePoints, type Identity, UNMEASURED } from "../point/point.ts";
import type { ChunkHeader } from "../table/chunk/chunk.ts";
import { firstOf, lastOf } from "./plan.ts";

/**
 * The feed's own list of its chunks in the geo database, with the state of trip detection after each chunk, from which
 * detection can continue.
 */
export class ChunkCatalogue {
  #sql: SqlStorage;
  #last: ChunkHeader | null | undefined;
  #all: ChunkHeader[] | undefined;
  #lastForgotten: Forgotten | null | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS chunk (id INTEGER PRIMARY KEY, to_time INTEGER NOT NULL, header TEXT NOT NULL, state TEXT)",
    );
    // At most one row: the end of the forgotten chunks.
    sql.exec(
      "CREATE TABLE IF NOT EXISTS forgotten_chunk (id INTEGER PRIMARY KEY, end_point TEXT NOT NULL, meters REAL NOT NULL, state TEXT)",
    );
  }

  /** The last chunk alone, so that points in order do not load the whole list. */
  last(): ChunkHeader | null {
    if (this.#all) return this.#all.at(-1) ?? null;
    if (this.#last === undefined) {
      const [row] = this.#sql
        .exec<HeaderRow>("SELECT header FROM chunk ORDER BY to_time DESC, id DESC LIMIT 1")
        .toArray();
      this.#last = row ? headerOf(row) : null;
    }
    return this.#last;
  }

  /** In time order. */
  all(): ChunkHeader[] {
    this.#all ??= this.#sql.exec<HeaderRow>("SELECT header FROM chunk").toArray().map(headerOf).sort(compareChunks);
    return this.#all;
  }

  /** The chunk that the point falls into, if any. */
  covering(point: Identity): ChunkHeader | null {
    const covering = this.all()[this.#firstIndexWhere((chunk) => comparePoints(lastOf(chunk), point) >= 0)];
    return covering && comparePoints(firstOf(covering), point) <= 0 ? covering : null;
  }

  /** The index of the first chunk that ends at this time or later. */
  firstSince(time: number): number {
    return this.#firstIndexWhere(({ to }) => to >= time);
  }

  /** The last stored point, also if its chunk is forgotten; null: there was none. Later points are in order. */
  lastIdentity(): Identity | null {
    const last = this.last();
    return last ? lastOf(last) : (this.#forgotten()?.end ?? null);
  }

  /**
   * The state as JSON; null: unknown. Before the first chunk it is that of the forgotten chunks, or the initial state.
   */
  stateAfter(chunk: ChunkHeader | undefined | null): string | null {
    if (!chunk) return this.#forgotten()?.state ?? JSON.stringify(tripStart());
    const [row] = this.#sql.exec<{ state: string | null }>("SELECT state FROM chunk WHERE id = ?", chunk.id).toArray();
    return row?.state ?? null;
  }

  storeState(chunk: ChunkHeader, state: string | null) {
    this.#sql.exec("UPDATE chunk SET state = ? WHERE id = ?", state, chunk.id);
  }

  /** Meters from the tracker's first point to the last of this chunk. */
  metersUntil(index: number): number {
    const forgotten = this.#forgotten();
    let meters = forgotten?.meters ?? 0;
    let before = forgotten?.end;
    for (const chunk of this.all().slice(0, index + 1)) {
      if (before) meters += linkMeters(before, firstOf(chunk));
      meters += chunk.length;
      before = lastOf(chunk);
    }
    return meters;
  }

  replace(removed: number[], added: ChunkHeader[]) {
    const ids = new Set(removed);
    const remaining = this.all().filter(({ id }) => !ids.has(id));
    for (const id of removed) this.#sql.exec("DELETE FROM chunk WHERE id = ?", id);
    for (const chunk of added) {
      const header = JSON.stringify(chunk);
      this.#sql.exec("INSERT INTO chunk (id, to_time, header) VALUES (?, ?, ?)", chunk.id, chunk.to, header);
    }
    this.#all = [...remaining, ...added].sort(compareChunks);
  }

  /** Removes the first chunks, but keeps the end of the last of them and its state. */
  forget(chunks: ChunkHeader[]) {
    const last = chunks.at(-1);
    if (!last) return;
    this.#sql.exec(
      "INSERT OR REPLACE INTO forgotten_chunk (id, end_point, meters, state) VALUES (1, ?, ?, ?)",
      JSON.stringify(lastOf(last)),
      this.metersUntil(chunks.length - 1),
      this.stateAfter(last),
    );
    this.#lastForgotten = undefined;
    const ids = chunks.map(({ id }) => id);
    this.replace(ids, []);
  }

  /** Replaces the whole list after the database turned out to hold other chunks. */
  reset(chunks: ChunkHeader[]) {
    this.#all = [];
    this.#sql.exec("DELETE FROM chunk");
    this.replace([], chunks);
  }

  /** Cached, as it is read for every point of a tracker without chunks. */
  #forgotten(): Forgotten | null {
    if (this.#lastForgotten === undefined) this.#lastForgotten = this.#readForgotten();
    return this.#lastForgotten;
  }

  #readForgotten(): Forgotten | null {
    const [row] = this.#sql
      .exec<{ end_point: string; meters: number; state: string | null }>(
        "SELECT end_point, meters, state FROM forgotten_chunk",
      )
      .toArray();
    // The text was written by `forget`.
    return row ? { end: JSON.parse(row.end_point), meters: row.meters, state: row.state } : null;
  }

  #firstIndexWhere(holds: (chunk: ChunkHeader) => boolean): number {
    const chunks = this.all();
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = chunks[middle];
      if (chunk && !holds(chunk)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function parseState(text: string | null): TripState | null {
  // The text was written by `storeState`.
  return text === null ? null : JSON.parse(text);
}

/** The end of the forgotten chunks. */
type Forgotten = { end: Identity; meters: number; state: string | null };
type HeaderRow = { header: string };

function headerOf({ header }: HeaderRow): ChunkHeader {
  // The text was written by `replace`.
  return JSON.parse(header);
}

function compareChunks(a: ChunkHeader, b: ChunkHeader) {
  return comparePoints(lastOf(a), lastOf(b));
}

function linkMeters(before: Identity, after: Identity) {
  return measureStep({ ...before, speed: 0 }, { ...after, ...UNMEASURED }).meters;
}
