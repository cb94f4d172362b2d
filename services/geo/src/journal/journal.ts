import { decodePoints, encodePoints } from "../point/codec.ts";
import type { Facts } from "../point/facts.ts";
import type { Point } from "../point/point.ts";
import { PointBatch } from "../point/point-batch.ts";

export type JournalEntry = { received: number; facts: Facts | null; points: Point[] };
/** What a row says of each request in it: when it came, what it told beside points, and how many bytes its points are. */
type Line = [received: number, facts: Facts | null, length: number];
/** The row that small requests join. */
type LastRow = { id: number; lines: Line[]; bytes: Uint8Array };

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

  append(received: number, facts: Facts | null, sent: PointBatch) {
    const { count } = sent;
    const encoded = count > 0 ? (sent.bytes ?? encodePoints(sent.points, "raw")) : new Uint8Array(0);
    if (encoded.length > LARGEST_ROW_BYTES && count > 1) {
      this.append(received, facts, PointBatch.of(sent.points.slice(0, count >> 1)));
      this.append(received, null, PointBatch.of(sent.points.slice(count >> 1)));
      return;
    }
    const line: Line = [received, facts, encoded.length];
    if (!this.#joinLast(line, encoded)) this.#addRow(line, encoded);
  }

  /** In the order in which they came. */
  entries(): JournalEntry[] {
    type Row = { id: number; received: number; facts: string | null; points: ArrayBuffer | null };
    const rows = this.#sql.exec<Row>("SELECT id, received, facts, points FROM journal ORDER BY id").toArray();
    return rows.flatMap(({ id, received, facts, points }) => {
      const bytes = new Uint8Array(points ?? new ArrayBuffer(0));
      const told: Line[] | Facts | null = facts === null ? null : JSON.parse(facts);
      // Rows of before held one request each.
      const lines: Line[] = Array.isArray(told) ? told : [[received, told, bytes.length]];
      this.#last = bytes.length <= LARGEST_JOINED_BYTES ? { id, lines, bytes } : null;
      return entriesOf(lines, bytes);
    });
  }

  /** What comes from now on goes into rows behind it. */
  lastRow(): number {
    this.#last = null;
    return this.#lastId;
  }

  /** The points that are kept go into rows behind. */
  dropUntil(row: number, received: number, kept: Point[]) {
    for (let start = 0; start < kept.length; start += ROW_POINTS) {
      this.append(received, null, PointBatch.of(kept.slice(start, start + ROW_POINTS)));
    }
    this.#sql.exec("DELETE FROM journal WHERE id <= ?", row);
    this.#rows = this.#count();
  }

  /** Many small rows become a few, so that waking up stays quick. The facts must be kept elsewhere by now. */
  compact(received: number, points: Point[]) {
    this.dropUntil(this.lastRow(), received, points);
  }

  /** False where there is no row, or no room in it. */
  #joinLast(line: Line, encoded: Uint8Array): boolean {
    const last = this.#last;
    if (!last || last.bytes.length + encoded.length > LARGEST_JOINED_BYTES) return false;
    const lines = [...last.lines, line];
    const told = JSON.stringify(lines);
    const bytes = new Uint8Array(last.bytes.length + encoded.length);
    if (told.length + bytes.length > LARGEST_JOINED_BYTES) return false;
    bytes.set(last.bytes);
    bytes.set(encoded, last.bytes.length);
    this.#sql.exec("UPDATE journal SET facts = ?, points = ? WHERE id = ?", told, bytes, last.id);
    this.#last = { ...last, lines, bytes };
    return true;
  }

  #addRow(line: Line, bytes: Uint8Array) {
    const id = ++this.#lastId;
    const into = "INSERT INTO journal (id, received, facts, points) VALUES (?, ?, ?, ?)";
    this.#sql.exec(into, id, line[0], JSON.stringify([line]), bytes);
    this.#rows++;
    this.#last = bytes.length <= LARGEST_JOINED_BYTES ? { id, lines: [line], bytes } : null;
  }

  #count() {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM journal").one().n;
  }
}

function entriesOf(lines: Line[], bytes: Uint8Array): JournalEntry[] {
  let start = 0;
  return lines.map(([received, facts, length]) => {
    // A copy, as columns of numbers are read where they are aligned.
    const points = length > 0 ? decodePoints(bytes.slice(start, start + length)) : [];
    start += length;
    return { received, facts, points };
  });
}

/** A row of the object's storage holds 2 MB. */
const LARGEST_ROW_BYTES = 1_500_000;
/** What fits into one page of the storage, as every change writes the row anew. */
const LARGEST_JOINED_BYTES = 3_500;
const ROW_POINTS = 4000;
