import type { Counted } from "./day.ts";
import type { EventUsage } from "./deliveries.ts";
import prices from "./prices.json" with { type: "json" };

export type Line = keyof typeof prices.lines;
/** Usage of a month, by the line of the bill. */
export type Usage = Partial<Record<Line, number>>;
/** Dollars a month and tracker, by line; those that come to nothing are left out. */
export type Bill = { lines: { name: string; amount: number }[]; base: number; total: number };

/** Usage of one tracker in a month of such days, after its points have been kept for `keptDays`. */
export function monthOf(day: Counted, keptDays: number): Usage {
  const { days } = prices;
  const sum = (kind: string) =>
    Object.entries(day.counts).reduce((all, [name, count]) => all + (name.startsWith(kind) ? count : 0), 0);
  return {
    worker_requests: day.requests * days,
    worker_cpu_ms: day.processorMs * days,
    object_requests: sum("requests ") * days,
    object_gb_seconds: (sum("ms ") / 1000) * OBJECT_GB * days,
    object_rows_written: sum("written ") * days,
    object_rows_read: sum("read") * days,
    object_gb: (day.feedBytes.end + (day.feedBytes.end - day.feedBytes.begin) * keptDays) / GB,
    database_rows_written: day.rows.written * days,
    database_rows_read: day.rows.read * days,
    database_gb: (day.databaseBytes * keptDays) / GB,
    bucket_writes: sum("bucket written") * days,
  };
}

/** Dollars of a million events, from the usage of one; nothing is included. Waiting for a receiver is no part of it. */
export function millionOf({ counts, rows, processorMs }: EventUsage): { name: string; amount: number }[] {
  const sum = (kind: RegExp) =>
    Object.entries(counts).reduce((all, [name, count]) => all + (kind.test(name) ? count : 0), 0);
  const used: Usage = {
    worker_cpu_ms: processorMs,
    object_requests: sum(/^requests /),
    object_gb_seconds: (sum(/^ms /) / 1000) * OBJECT_GB,
    object_rows_written: sum(/^written /),
    object_rows_read: sum(/^read$/),
    database_rows_written: rows.written,
    database_rows_read: rows.read,
  };
  const lines = Object.entries(used) as [Line, number][]; // the members of `Usage`
  return lines.map(([line, usage]) => {
    const { name, price, per } = prices.lines[line];
    return { name, amount: ((usage * MILLION) / per) * price };
  });
}

/** The bill of so many trackers, which share the installation's own usage. */
export function billOf(tracker: Usage, installation: Usage, trackers: number): Bill {
  const names = Object.keys(prices.lines) as Line[]; // a type of the same file
  const lines = names.flatMap((line) => {
    const { name, price, per, included } = prices.lines[line];
    const used = (tracker[line] ?? 0) * trackers + (installation[line] ?? 0);
    const amount = (Math.max(0, used - included) / per) * (price / trackers);
    return amount > 0 ? [{ name, amount }] : [];
  });
  const base = prices.base.reduce((sum, { price }) => sum + price, 0) / trackers;
  return { lines, base, total: lines.reduce((sum, { amount }) => sum + amount, base) };
}

const MILLION = 1e6;
const GB = 1e9;
/** Durable Objects are billed for this much memory. */
const OBJECT_GB = 0.128;
