import { decodePoints, encodePoints } from "../point/codec.ts";
import type { Facts } from "../point/facts.ts";
import type { Point } from "../point/point.ts";
import { PointBatch } from "../point/point-batch.ts";

export type JournalEntry = { received: number; facts: Facts | null; points: Point[] };
/** What a row says of each request in it: when it came, what it told beside points, and how many bytes its points are. */
type EntryHead = [received: number, facts: Facts | null, length: number];
/** The row that small requests join. */
type LastRow = { id: number; heads: EntryHead[]; bytes: Uint8Array };

/**
 * Every accepted request stands here until its points are in the geo database: what is acknowledged is stored. A small one
 * joins the row before it, as a row that is changed costs a third of one that is made and deleted.
 */
export class Journal {
  #sql: SqlStorage;
  #rows: number;
  /** Nobody else makes rows. */
  #lastId: number;
  #last: LastRow | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS journal (id INTEGER PRIMARY KEY, received INTEGER NOT NULL, facts TEXT, points BLOB)",
    );
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

  /** In the order in which they came. */
  entries(): JournalEntry[] {
    type Row = { id: number; received: number; facts: string | null; points: ArrayBuffer | null };
    const rows = this.#sql.exec<Row>("SELECT id, received, facts, points FROM journal ORDER BY id").toArray();
    return rows.flatMap(({ id, received, facts, points }) => {
      const bytes = new Uint8Array(points ?? new ArrayBuffer(0));
      const parsed: EntryHead[] | Facts | null = facts === null ? null : JSON.parse(facts);
      // Rows of before held one request each.
      const heads: EntryHead[] = Array.isArray(parsed) ? parsed : [[received, parsed, bytes.length]];
      this.#last = bytes.length <= MAX_JOINED_ROW_BYTES ? { id, heads, bytes } : null;
      return splitEntries(heads, bytes);
    });
  }

  /** What comes from now on goes into rows behind it. */
  closeLastRow(): number {
    this.#last = null;
    return this.#lastId;
  }

  /** The points that are kept go into rows behind. */
  deleteUntil(row: number, received: number, kept: Point[]) {
    for (let start = 0; start < kept.length; start += MAX_POINTS_PER_ROW) {
      this.append(received, null, PointBatch.of(kept.slice(start, start + MAX_POINTS_PER_ROW)));
    }
    this.#sql.exec("DELETE FROM journal WHERE id <= ?", row);
    this.#rows = this.#count();
  }

  /** Many small rows become a few, so that waking up stays quick. The facts must be kept elsewhere by now. */
  compact(received: number, points: Point[]) {
    this.deleteUntil(this.closeLastRow(), received, points);
  }

  /** False where there is no row, or no room in it. */
  #appendToLastRow(head: EntryHead, encoded: Uint8Array): boolean {
    const last = this.#last;
    if (!last || last.bytes.length + encoded.length > MAX_JOINED_ROW_BYTES) return false;
    const heads = [...last.heads, head];
    const told = JSON.stringify(heads);
    const bytes = new Uint8Array(last.bytes.length + encoded.length);
    if (told.length + bytes.length > MAX_JOINED_ROW_BYTES) return false;
    bytes.set(last.bytes);
    bytes.set(encoded, last.bytes.length);
    this.#sql.exec("UPDATE journal SET facts = ?, points = ? WHERE id = ?", told, bytes, last.id);
    this.#last = { ...last, heads, bytes };
    return true;
  }

  #addRow(head: EntryHead, bytes: Uint8Array) {
    const id = ++this.#lastId;
    const into = "INSERT INTO journal (id, received, facts, points) VALUES (?, ?, ?, ?)";
    this.#sql.exec(into, id, head[0], JSON.stringify([head]), bytes);
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
    // A copy, as columns of numbers are read where they are aligned.
    const points = length > 0 ? decodePoints(bytes.slice(start, start + length)) : [];
    start += length;
    return { received, facts, points };
  });
}

/** A row of the object's storage holds 2 MB. */
const MAX_ROW_BYTES = 1_500_000;
/** What fits into one page of the storage, as every change writes the row anew. */
const MAX_JOINED_ROW_BYTES = 3_500;
const MAX_POINTS_PER_ROW = 4000;
