import { systemNow } from "#shared/time/clock.ts";
import type { ChunkCatalogue } from "../chunk/catalogue.ts";
import type { Point } from "../point/point.ts";
import type { ChunkHeader } from "../table/chunk/chunk.ts";
import { type RuleName, summarize } from "./meter.ts";
import { addSummary, type Summary, type Total, ZERO_TOTAL } from "./summary.ts";

/** A chunk's summary as JSON, with the rules and the number of pins that it was made with. */
export type ChunkSummary = { summary: string; rules: string; pins: number };

/** The counter totals at a moment whose points are deleted. */
export type PastTotal = { time: number; total: Total };

/**
 * Summaries of chunks and totals after them, in the feed's own storage. Chunks never change, so a summary is valid as
 * long as its chunk exists; a missing one is made from the chunk's points again.
 */
export class SummaryStore {
  #sql: SqlStorage;
  #chunks: ChunkCatalogue;
  #pins: number[];
  /** Rules of virtual sensors, and since when each is evaluated. */
  #rules: Map<RuleName, number>;
  readonly #now: () => number;

  constructor(sql: SqlStorage, chunks: ChunkCatalogue, now: () => number = systemNow) {
    this.#now = now;
    this.#sql = sql;
    this.#chunks = chunks;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS meter (chunk INTEGER PRIMARY KEY, to_time INTEGER NOT NULL, rules TEXT NOT NULL, summary TEXT NOT NULL, total TEXT)",
    );
    sql.exec(
      "CREATE TABLE IF NOT EXISTS meter_rule (name TEXT PRIMARY KEY, since INTEGER NOT NULL, used INTEGER NOT NULL)",
    );
    sql.exec("CREATE TABLE IF NOT EXISTS meter_pin (time INTEGER PRIMARY KEY)");
    sql.exec("CREATE TABLE IF NOT EXISTS meter_past (time INTEGER PRIMARY KEY, total TEXT NOT NULL)");
    this.#pins = sql
      .exec<{ time: number }>("SELECT time FROM meter_pin ORDER BY time")
      .toArray()
      .map(({ time }) => time);
    const rules = sql
      .exec<{ name: string; since: number }>("SELECT name, since FROM meter_rule ORDER BY used")
      .toArray();
    this.#rules = new Map(rules.map(({ name, since }) => [name, since]));
  }

  get pins(): readonly number[] {
    return this.#pins;
  }

  get rules(): RuleName[] {
    return [...this.#rules.keys()];
  }

  /** Marks a moment after all points, so that counters which start there find exact values. */
  pin(time: number) {
    if ((this.#pins.at(-1) ?? Number.NEGATIVE_INFINITY) >= time) return;
    this.#pins.push(time);
    this.#sql.exec("INSERT OR IGNORE INTO meter_pin (time) VALUES (?)", time);
  }

  /**
   * Adds rules that are not evaluated since `since` yet; true if there were any. Drops the oldest rules that are not
   * requested when there are too many.
   */
  addRules(names: RuleName[], since: number): boolean {
    const chunksToSummarize = names.filter((name) => (this.#rules.get(name) ?? Number.POSITIVE_INFINITY) > since);
    for (const name of chunksToSummarize) {
      this.#rules.delete(name);
      this.#rules.set(name, since);
      this.#sql.exec(
        "INSERT OR REPLACE INTO meter_rule (name, since, used) VALUES (?, ?, ?)",
        name,
        since,
        this.#now(),
      );
    }
    const others = this.rules.filter((name) => !names.includes(name));
    for (const name of others.slice(0, Math.max(0, this.#rules.size - MAX_RULES))) {
      this.#rules.delete(name);
      this.#sql.exec("DELETE FROM meter_rule WHERE name = ?", name);
    }
    return chunksToSummarize.length > 0;
  }

  /** `distances`: meters between neighbours, if the caller has them. */
  summarize(points: Point[], distances?: Float64Array): ChunkSummary {
    const summary = JSON.stringify(summarize(points, this.rules, this.#pins, distances));
    return { summary, rules: JSON.stringify(this.rules), pins: this.#pins.length };
  }

  /** Whether the summary was made with the current rules and pins. */
  isCurrent({ rules, pins }: ChunkSummary): boolean {
    return pins === this.#pins.length && rules === JSON.stringify(this.rules);
  }

  put(chunk: ChunkHeader, { summary, rules }: ChunkSummary) {
    this.#sql.exec(
      "INSERT OR REPLACE INTO meter (chunk, to_time, rules, summary) VALUES (?, ?, ?, ?)",
      chunk.id,
      chunk.to,
      rules,
      summary,
    );
  }

  /** Replaces summaries after the catalogue was changed. */
  replace(removed: number[], added: { header: ChunkHeader; summarized: ChunkSummary }[]) {
    const first = Math.min(...added.map(({ header }) => header.from), ...this.#ends(removed));
    for (const id of removed) this.#sql.exec("DELETE FROM meter WHERE chunk = ?", id);
    for (const { header, summarized } of added) this.put(header, summarized);
    this.forgetTotals(first);
  }

  /** Drops summaries of chunks that the reloaded catalogue does not have. */
  reset() {
    const known = JSON.stringify(this.#chunks.all().map(({ id }) => id));
    this.#sql.exec("DELETE FROM meter WHERE chunk NOT IN (SELECT value FROM json_each(?))", known);
    this.forgetTotals(0);
  }

  forgetTotals(since: number) {
    this.#sql.exec("UPDATE meter SET total = NULL WHERE to_time >= ? AND total IS NOT NULL", Math.floor(since));
  }

  /** Chunks without a summary, or whose summary lacks a rule that is evaluated in their time. */
  missing(): ChunkHeader[] {
    // The usual case needs no list of all chunks.
    if (this.#rules.size === 0 && this.#sql.exec(WITHOUT_SUMMARY).toArray().length === 0) return [];
    const rows = this.#sql.exec<{ chunk: number; rules: string }>("SELECT chunk, rules FROM meter").toArray();
    const known = new Map(rows.map(({ chunk, rules }) => [chunk, rules]));
    const required = [...this.#rules];
    return this.#chunks.all().filter((chunk) => {
      const rules = known.get(chunk.id);
      if (rules === undefined) return true;
      const summarized: RuleName[] = JSON.parse(rules);
      return required.some(([name, since]) => chunk.to >= since && !summarized.includes(name));
    });
  }

  summaryOf(chunk: ChunkHeader): Summary {
    const row = this.#sql.exec<{ summary: string }>("SELECT summary FROM meter WHERE chunk = ?", chunk.id).one();
    // The text was written by `put`.
    return JSON.parse(row.summary);
  }

  /** The total after the chunk at the index, computed from the last stored one; stores the totals in between. */
  totalAfter(index: number): Total {
    const chunks = this.#chunks.all();
    let start = index;
    let total: Total | null = null;
    for (; start >= 0; start--) {
      total = this.#knownTotal(chunks[start]);
      if (total) break;
    }
    total ??= this.pastTotal()?.total ?? ZERO_TOTAL;
    for (const chunk of chunks.slice(start + 1, index + 1)) {
      total = addSummary(total, this.summaryOf(chunk));
      this.#sql.exec("UPDATE meter SET total = ? WHERE chunk = ?", JSON.stringify(total), chunk.id);
    }
    return total;
  }

  /** The total after the last chunk, without reading the list of chunks. */
  lastTotal(): Total {
    const last = this.#chunks.last();
    if (!last) return this.pastTotal()?.total ?? ZERO_TOTAL;
    return this.#knownTotal(last) ?? this.totalAfter(this.#chunks.all().length - 1);
  }

  /** The total at the end of the forgotten chunks, or at the last pin up to a moment; null: none is stored. */
  pastTotal(time = Number.MAX_SAFE_INTEGER): PastTotal | null {
    const [row] = this.#sql
      .exec<{ time: number; total: string }>(
        "SELECT time, total FROM meter_past WHERE time <= ? ORDER BY time DESC LIMIT 1",
        Math.floor(time),
      )
      .toArray();
    // The text was written by `forget`.
    return row ? { time: row.time, total: JSON.parse(row.total) } : null;
  }

  /** Deletes summaries of the first chunks; the total after them and the totals at pins stay. */
  forget(chunks: ChunkHeader[], totals: PastTotal[]) {
    for (const { id } of chunks) this.#sql.exec("DELETE FROM meter WHERE chunk = ?", id);
    this.#sql.exec("DELETE FROM meter_past WHERE time NOT IN (SELECT time FROM meter_pin)");
    for (const { time, total } of totals) {
      this.#sql.exec("INSERT OR REPLACE INTO meter_past (time, total) VALUES (?, ?)", time, JSON.stringify(total));
    }
  }

  #knownTotal(chunk: ChunkHeader | undefined): Total | null {
    if (!chunk) return null;
    const [row] = this.#sql
      .exec<{ total: string | null }>("SELECT total FROM meter WHERE chunk = ?", chunk.id)
      .toArray();
    return row?.total ? JSON.parse(row.total) : null;
  }

  #ends(ids: number[]): number[] {
    const rows = this.#sql.exec<{ to_time: number }>(
      "SELECT to_time FROM meter WHERE chunk IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    );
    return rows.toArray().map(({ to_time }) => to_time);
  }
}

const WITHOUT_SUMMARY = "SELECT id FROM chunk WHERE id NOT IN (SELECT chunk FROM meter) LIMIT 1";
/** Each rule is evaluated at every point. */
const MAX_RULES = 8;
