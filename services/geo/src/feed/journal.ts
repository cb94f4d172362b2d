import { decodePoints, encodePoints } from "../point/codec.ts";
import type { Point } from "../point/point.ts";
import type { Facts } from "./state.ts";

export type JournalEntry = { received: number; facts: Facts | null; points: Point[] };

/** Every accepted request is one row here until its points are in the geo database: what is acknowledged is stored. */
export class Journal {
  #sql: SqlStorage;
  #rows: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS journal (id INTEGER PRIMARY KEY AUTOINCREMENT, received INTEGER NOT NULL, facts TEXT, points BLOB)",
    );
    this.#rows = this.#count();
  }

  get rows() {
    return this.#rows;
  }

  /** `bytes` are the points in their raw form where the caller has them. */
  append(received: number, facts: Facts | null, points: Point[], bytes?: Uint8Array) {
    const encoded = points.length > 0 ? (bytes ?? encodePoints(points, "raw")) : null;
    if (encoded && encoded.length > LARGEST_ROW_BYTES && points.length > 1) {
      this.append(received, facts, points.slice(0, points.length >> 1));
      this.append(received, null, points.slice(points.length >> 1));
      return;
    }
    this.#sql.exec(
      "INSERT INTO journal (received, facts, points) VALUES (?, ?, ?)",
      received,
      facts && JSON.stringify(facts),
      encoded,
    );
    this.#rows++;
  }

  entries(): JournalEntry[] {
    type Row = { received: number; facts: string | null; points: ArrayBuffer | null };
    const rows = this.#sql.exec<Row>("SELECT received, facts, points FROM journal ORDER BY id").toArray();
    return rows.map(({ received, facts, points }) => ({
      received,
      facts: facts === null ? null : JSON.parse(facts),
      points: points ? decodePoints(new Uint8Array(points)) : [],
    }));
  }

  lastRow(): number {
    return this.#sql.exec<{ id: number | null }>("SELECT max(id) AS id FROM journal").one().id ?? 0;
  }

  /** The points that are kept go into rows behind. */
  dropUntil(row: number, received: number, kept: Point[]) {
    for (let start = 0; start < kept.length; start += ROW_POINTS) {
      this.append(received, null, kept.slice(start, start + ROW_POINTS));
    }
    this.#sql.exec("DELETE FROM journal WHERE id <= ?", row);
    this.#rows = this.#count();
  }

  /** Many small rows become a few, so that waking up stays quick. The facts must be kept elsewhere by now. */
  compact(received: number, points: Point[]) {
    this.dropUntil(this.lastRow(), received, points);
  }

  #count() {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM journal").one().n;
  }
}

/** A row of the object's storage holds 2 MB. */
const LARGEST_ROW_BYTES = 1_500_000;
const ROW_POINTS = 4000;
