import { decodePoints, encodePoints } from "../point/codec.ts";
import type { Point } from "../point/point.ts";

/** All up to `row` is done, and of the row behind it the first `offset` points. */
export type Cursor = { row: number; offset: number };

/** Points to be sent next, and how many of them each row holds. */
export type Batch = { points: Point[]; rows: { id: number; count: number }[] };

/** What is asked of a Durable Object's storage. */
type Sql = Pick<SqlStorage, "exec">;

/**
 * Points as they were accepted, a row a request, until every target has them or they are too old. The journal is no place
 * for them: it is emptied when its points are in the database.
 */
export class OutgoingPoints {
  #sql: Sql;
  #maxBytes: number;
  #bytes: number;
  #last: number;

  constructor(sql: Sql, mostBytes = MAX_BYTES) {
    this.#sql = sql;
    this.#maxBytes = mostBytes;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS outgoing (id INTEGER PRIMARY KEY AUTOINCREMENT, accepted INTEGER NOT NULL, count INTEGER NOT NULL, points BLOB NOT NULL)",
    );
    type Sums = { bytes: number | null; last: number | null };
    const { bytes, last } = sql.exec<Sums>("SELECT sum(length(points)) AS bytes, max(id) AS last FROM outgoing").one();
    this.#bytes = bytes ?? 0;
    this.#last = last ?? 0;
  }

  /** The newest row that is there; 0 when there is none. */
  get last() {
    return this.#last;
  }

  /** `bytes` are the points in their raw form where the caller has them. */
  append(accepted: number, points: Point[], bytes = encodePoints(points, "raw")) {
    if (bytes.length > MAX_ROW_BYTES && points.length > 1) {
      this.append(accepted, points.slice(0, points.length >> 1));
      this.append(accepted, points.slice(points.length >> 1));
      return;
    }
    const { id } = this.#sql
      .exec<{ id: number }>(
        "INSERT INTO outgoing (accepted, count, points) VALUES (?, ?, ?) RETURNING id",
        accepted,
        points.length,
        bytes,
      )
      .one();
    this.#last = id;
    this.#bytes += bytes.length;
  }

  /** The points behind the cursor, at most so many. */
  read({ row, offset }: Cursor, limit: number): Batch {
    const batch: Batch = { points: [], rows: [] };
    type Row = { id: number; points: ArrayBuffer };
    // Rows of one point are common, rows of many too: what is not needed is not fetched.
    for (const found of this.#sql.exec<Row>("SELECT id, points FROM outgoing WHERE id > ? ORDER BY id", row)) {
      const all = decodePoints(new Uint8Array(found.points));
      batch.rows.push({ id: found.id, count: all.length });
      const left = batch.rows.length === 1 ? all.slice(offset) : all;
      batch.points.push(...left.slice(0, limit - batch.points.length));
      if (batch.points.length === limit) break;
    }
    return batch;
  }

  countAfter({ row, offset }: Cursor): number {
    const { n } = this.#sql.exec<{ n: number | null }>("SELECT sum(count) AS n FROM outgoing WHERE id > ?", row).one();
    return Math.max((n ?? 0) - offset, 0);
  }

  /** Every target has these. */
  dropUntil(row: number) {
    type Removed = { bytes: number };
    const removed = this.#sql.exec<Removed>(
      "DELETE FROM outgoing WHERE id <= ? RETURNING length(points) AS bytes",
      row,
    );
    for (const { bytes } of removed) this.#bytes -= bytes;
  }

  /** The newest row that must wait no longer: for its age, or since there is too much behind it. Undefined: none must. */
  overdue(acceptedBefore: number): number | undefined {
    type Row = { id: number; accepted: number; bytes: number };
    const rows = this.#sql.exec<Row>("SELECT id, accepted, length(points) AS bytes FROM outgoing ORDER BY id");
    let over = this.#bytes - this.#maxBytes;
    let last: number | undefined;
    for (const { id, accepted, bytes } of rows) {
      if (accepted >= acceptedBefore && over <= 0) break;
      over -= bytes;
      last = id;
    }
    return last;
  }
}

/** Where the cursor stands when so many points of the batch are done. */
export function advanceCursor({ offset }: Cursor, { rows }: Batch, count: number): Cursor {
  let done = offset + count;
  let row = (rows[0]?.id ?? 1) - 1;
  for (const { id, count: points } of rows) {
    if (done < points) break;
    done -= points;
    row = id;
  }
  return { row, offset: done };
}

/** A row of the object's storage holds 2 MB. */
const MAX_ROW_BYTES = 1_500_000;
/** More than a day of ten points a second. */
const MAX_BYTES = 64_000_000;
