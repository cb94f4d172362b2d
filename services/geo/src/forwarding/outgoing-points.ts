import { decodePoints, encodePoints } from "../point/codec.ts";
import type { Point } from "../point/point.ts";

/** The position of a target: all rows up to `row` are delivered, and the first `offset` points of the next row. */
export type Cursor = { row: number; offset: number };

/** The next points to be sent, and the number of points of each row. */
export type Batch = { points: Point[]; rows: { id: number; count: number }[] };

/** The used part of a Durable Object's storage. */
type Sql = Pick<SqlStorage, "exec">;

/**
 * Accepted points for retranslators, a row a request, kept until every target has them or they are too old. The journal
 * cannot hold them, as a flush empties it.
 */
export class OutgoingPoints {
  #sql: Sql;
  #maxBytes: number;
  #bytes: number;
  #last: number;

  constructor(sql: Sql, maxBytes = MAX_BYTES) {
    this.#sql = sql;
    this.#maxBytes = maxBytes;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS outgoing (id INTEGER PRIMARY KEY AUTOINCREMENT, accepted INTEGER NOT NULL, count INTEGER NOT NULL, points BLOB NOT NULL)",
    );
    type Sums = { bytes: number | null; last: number | null };
    const { bytes, last } = sql.exec<Sums>("SELECT sum(length(points)) AS bytes, max(id) AS last FROM outgoing").one();
    this.#bytes = bytes ?? 0;
    this.#last = last ?? 0;
  }

  /** The id of the newest row; 0: none. */
  get last() {
    return this.#last;
  }

  /** `bytes`: the points in raw form, if the caller has them. */
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

  /** Up to `limit` points after the cursor. */
  read({ row, offset }: Cursor, limit: number): Batch {
    const batch: Batch = { points: [], rows: [] };
    type Row = { id: number; points: ArrayBuffer };
    // Reads rows one by one, as they hold one point or many.
    for (const stored of this.#sql.exec<Row>("SELECT id, points FROM outgoing WHERE id > ? ORDER BY id", row)) {
      const all = decodePoints(new Uint8Array(stored.points));
      batch.rows.push({ id: stored.id, count: all.length });
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

  /** Deletes the rows up to this one, which every target has. */
  dropUntil(row: number) {
    type Removed = { bytes: number };
    const removed = this.#sql.exec<Removed>(
      "DELETE FROM outgoing WHERE id <= ? RETURNING length(points) AS bytes",
      row,
    );
    for (const { bytes } of removed) this.#bytes -= bytes;
  }

  /** The newest row to be given up, for its age or for the bytes of later ones; undefined: none. */
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

/** The cursor after `count` points of the batch. */
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

/** A row of a Durable Object may have 2 MB. */
const MAX_ROW_BYTES = 1_500_000;
/** More than a day of ten points a second. */
const MAX_BYTES = 64_000_000;
