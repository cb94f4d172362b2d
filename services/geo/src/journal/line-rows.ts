import type { SharedLine } from "../object/shared-journal.ts";
import type { Facts } from "../point/facts.ts";

export type TrackerLine = SharedLine & { tracker_id: number };
/** A row's description of each line in it; `length`: bytes of its points. */
type LineHead = [tracker_id: number, number: number, received: number, facts: Facts | null, length: number];
/** The row that the next lines are appended to. */
type LastRow = { id: number; heads: LineHead[]; bytes: Uint8Array };

/**
 * Lines of many trackers in rows of the object's storage, as many in each as fit into two pages: a changed row is
 * billed once, however many lines were appended.
 */
export class LineRows {
  #sql: SqlStorage;
  #last: LastRow | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec("CREATE TABLE IF NOT EXISTS line_row (id INTEGER PRIMARY KEY, heads TEXT NOT NULL, points BLOB NOT NULL)");
  }

  /** The lines of all rows, without their points. */
  *heads(): Generator<{ row: number; tracker_id: number; number: number }> {
    for (const { id, heads } of this.#sql.exec<{ id: number; heads: string }>("SELECT id, heads FROM line_row")) {
      for (const [tracker_id, number] of parseHeads(heads)) yield { row: id, tracker_id, number };
    }
  }

  /** Ids of rows with lines of the tracker, including lines that are no longer needed. */
  rowsWith(tracker_id: number): number[] {
    const rows = this.#sql.exec<{ id: number }>(
      "SELECT id FROM line_row WHERE EXISTS (SELECT 1 FROM json_each(heads) AS head WHERE head.value ->> 0 = ?)",
      tracker_id,
    );
    return [...rows].map(({ id }) => id);
  }

  /** The lines of these rows, oldest first. */
  read(ids: number[]): TrackerLine[] {
    type Row = { heads: string; points: ArrayBuffer };
    const rows = this.#sql.exec<Row>(
      "SELECT heads, points FROM line_row WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
      JSON.stringify(ids),
    );
    return [...rows].flatMap(({ heads, points }) => splitLines(parseHeads(heads), new Uint8Array(points)));
  }

  /** Stores the lines; answers the id of their row. */
  add(lines: TrackerLine[]): number {
    const heads = lines.map(headOf);
    const bytes = joinPoints(lines);
    return this.#appendToLastRow(heads, bytes) ?? this.#addRow(heads, bytes);
  }

  /** Replaces a row's lines. */
  replace(id: number, lines: TrackerLine[]) {
    if (this.#last?.id === id) this.#last = null;
    this.#write(id, JSON.stringify(lines.map(headOf)), joinPoints(lines));
  }

  remove(ids: number[]) {
    if (this.#last && ids.includes(this.#last.id)) this.#last = null;
    this.#sql.exec("DELETE FROM line_row WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
  }

  /** Null if there is no last row, or the lines do not fit into it. */
  #appendToLastRow(added: LineHead[], addedBytes: Uint8Array): number | null {
    const last = this.#last;
    if (!last || last.bytes.length + addedBytes.length > MAX_ROW_BYTES) return null;
    const heads = [...last.heads, ...added];
    const text = JSON.stringify(heads);
    if (text.length + last.bytes.length + addedBytes.length > MAX_ROW_BYTES) return null;
    const bytes = concatBytes([last.bytes, addedBytes]);
    this.#write(last.id, text, bytes);
    this.#last = { id: last.id, heads, bytes };
    return last.id;
  }

  #addRow(heads: LineHead[], bytes: Uint8Array): number {
    const { id } = this.#sql
      .exec<{ id: number }>(
        "INSERT INTO line_row (heads, points) VALUES (?, ?) RETURNING id",
        JSON.stringify(heads),
        bytes,
      )
      .one();
    this.#last = { id, heads, bytes };
    return id;
  }

  #write(id: number, heads: string, bytes: Uint8Array) {
    this.#sql.exec("UPDATE line_row SET heads = ?, points = ? WHERE id = ?", heads, bytes, id);
  }
}

function headOf({ tracker_id, number, received, facts, points }: TrackerLine): LineHead {
  return [tracker_id, number, received, facts, points.length];
}

function parseHeads(text: string): LineHead[] {
  return JSON.parse(text);
}

function splitLines(heads: LineHead[], bytes: Uint8Array): TrackerLine[] {
  let start = 0;
  return heads.map(([tracker_id, number, received, facts, length]) => {
    // Copies the bytes: columns of numbers can be read only at aligned addresses.
    const points = bytes.slice(start, start + length);
    start += length;
    return { tracker_id, number, received, facts, points };
  });
}

function joinPoints(lines: TrackerLine[]): Uint8Array {
  return concatBytes(lines.map(({ points }) => points));
}

function concatBytes(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

/** A row of two storage pages: every append rewrites the row. */
const MAX_ROW_BYTES = 7_500;
