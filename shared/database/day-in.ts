import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { zoneOffsetMs } from "../time/clock.ts";
import { DAY_MS, MINUTE_MS } from "../time/duration.ts";

/** SQL number of the day of a moment in a time zone. Outside of the range, the offset of its nearer end applies. */
export function dayIn(column: SQLiteColumn, zone: string, range: { from: number; to: number }): SQL {
  // CAST, because the database treats bound numbers as floating point.
  return sql`CAST(${column} + ${offsetOf(column, zone, range)} AS INTEGER) / ${sql.raw(String(DAY_MS))}`;
}

/**
 * SQL text `YYYY-MM-DD HH:MM:SS` of a moment in a time zone. Outside of the range, the offset of its nearer end
 * applies.
 */
export function textIn(column: SQLiteColumn, zone: string, range: { from: number; to: number }): SQL {
  return sql`datetime(CAST(${column} + ${offsetOf(column, zone, range)} AS INTEGER) / 1000, 'unixepoch')`;
}

function offsetOf(column: SQLiteColumn, zone: string, range: { from: number; to: number }): SQL {
  return offsetsIn(zone, range).reduce(
    (before, shift) => sql`iif(${column} >= ${shift.from}, ${shift.offset}, ${before})`,
    sql`0`,
  );
}

/** Offsets of the zone within the range, each with its first moment (to 15 minutes). */
function offsetsIn(zone: string, { from, to }: { from: number; to: number }) {
  const shifts = [{ from: Number.MIN_SAFE_INTEGER, offset: zoneOffsetMs(from, zone) }];
  for (let day = from; day < to; day += DAY_MS) {
    const offset = zoneOffsetMs(day + DAY_MS, zone);
    if (offset === zoneOffsetMs(day, zone)) continue;
    let low = Math.floor(day / QUARTER_MS);
    let high = Math.ceil((day + DAY_MS) / QUARTER_MS);
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (zoneOffsetMs(middle * QUARTER_MS, zone) === offset) high = middle;
      else low = middle;
    }
    shifts.push({ from: high * QUARTER_MS, offset });
  }
  return shifts;
}

const QUARTER_MS = 15 * MINUTE_MS;
