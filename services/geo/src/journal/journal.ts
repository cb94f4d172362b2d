import { decodePoints, encodePoints } from "../point/codec.ts";
import type { Facts } from "../point/facts.ts";
import type { Point } from "../point/point.ts";
import { PointBatch } from "../point/point-batch.ts";

export type JournalEntry = { received: number; facts: Facts | null; points: Point[] };
/** A row's description of each request in it; `length`: bytes of its points. */
type EntryHead = [received: number, facts: Facts | null, length: number];
/** The row that the next small request is appended to. */
type LastRow = { id: number; heads: EntryHead[]; bytes: Uint8Array };

/**
 * The feed's own rows of accepted requests, kept until their points are in the geo database. Small requests are
 * appended to the last row: changing a row costs a third of inserting and deleting one.
 */
export class Journal {
  #sql: SqlStorage;
  #rows: number;
  /** Ids are counted here: no other code inserts into this table. */
  #lastId: number;
  #last: LastRow | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec("CREATE TABLE IF NOT EXISTS journal (id INTEGER PRIMARY KEY, heads TEXT NOT NULL, points BLOB NOT NULL)");
    this.#rows = this.#count();
    this.#lastId = sql.exec<{ id: number | null }>("SELECT max(id) AS id FROM journal").one().id ?? 0;
  }

  get rows() {
    return this.#rows;
  }

  append(received: number, facts: Facts | null, batch: PointBatch) {
    const { count } = batch;
    const encoded = count > 0 ? (batch.bytes ?? encodePoints(batch.points, "raw")) : new Uint8Array(0);
    if (encoded.length > MAX_ROW_BYTES && count > 1) {
      this.append(received, facts, PointBatch.of(batch.points.slice(0, count >> 1)));
      this.append(received, null, PointBatch.of(batch.points.slice(count >> 1)));
      return;
    }
    const head: EntryHead = [received, facts, encoded.length];
    if (!this.#appendToLastRow(head, encoded)) this.#addRow(head, encoded);
  }

  /** All entries, oldest first. */
  entries(): JournalEntry[] {
    type Row = { id: number; heads: string; points: ArrayBuffer };
    const rows = this.#sql.exec<Row>("SELECT id, heads, points FROM journal ORDER BY id").toArray();
    return rows.flatMap(({ id, heads: text, points }) => {
      const bytes = new Uint8Array(points);
      const heads: EntryHead[] = JSON.parse(text);
      this.#last = bytes.length <= MAX_JOINED_ROW_BYTES ? { id, heads, bytes } : null;
      return splitEntries(heads, bytes);
    });
  }

  /** Closes the last row, so that later requests go into new rows; answers its id. */
  closeLastRow(): number {
    this.#last = null;
    return this.#lastId;
  }

  /** Deletes the rows up to this one; the points that are still needed go into new rows. */
  deleteUntil(row: number, received: number, needed: Point[]) {
    for (let start = 0; start < needed.length; start += MAX_POINTS_PER_ROW) {
      this.append(received, null, PointBatch.of(needed.slice(start, start + MAX_POINTS_PER_ROW)));
    }
    this.#sql.exec("DELETE FROM journal WHERE id <= ?", row);
    this.#rows = this.#count();
  }

  /**
   * Rewrites all rows as few large ones, so that a restart reads them quickly. The caller must have stored the facts in
   * them elsewhere.
   */
  compact(received: number, points: Point[]) {
    this.deleteUntil(this.closeLastRow(), received, points);
  }

  /** False if there is no last row, or the request does not fit into it. */
  #appendToLastRow(head: EntryHead, encoded: Uint8Array): boolean {
    const last = this.#last;
    if (!last || last.bytes.length + encoded.length > MAX_JOINED_ROW_BYTES) return false;
    const heads = [...last.heads, head];
    const text = JSON.stringify(heads);
    const bytes = new Uint8Array(last.bytes.length + encoded.length);
    if (text.length + bytes.length > MAX_JOINED_ROW_BYTES) return false;
    bytes.set(last.bytes);
    bytes.set(encoded, last.bytes.length);
    this.#sql.exec("UPDATE journal SET heads = ?, points = ? WHERE id = ?", text, bytes, last.id);
    this.#last = { ...last, heads, bytes };
    return true;
  }

  #addRow(head: EntryHead, bytes: Uint8Array) {
    const id = ++this.#lastId;
    this.#sql.exec("INSERT INTO journal (id, heads, points) VALUES (?, ?, ?)", id, JSON.stringify([head]), bytes);
    this.#rows++;
    this.#last = bytes.length <= MAX_JOINED_ROW_BYTES ? { id, heads: [head], bytes } : null;
  }

  #count() {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM journal").one().n;
  }
}

function splitEntries(heads: EntryHead[], bytes: Uint8Array): JournalEntry[] {
  let start = 0;
  return heads.map(([received, facts, length]) => {
    // Copies the bytes: columns of numbers can be read only at aligned addresses.
    const points = length > 0 ? decodePoints(bytes.slice(start, start + length)) : [];
    start += length;
    return { received, facts, points };
  });
}

/** A row of a Durable Object may have 2 MB. */
const MAX_ROW_BYTES = 1_500_000;
/** A row of one storage page: every append rewrites the row. */
const MAX_JOINED_ROW_BYTES = 3_500;
const MAX_POINTS_PER_ROW = 4000;
