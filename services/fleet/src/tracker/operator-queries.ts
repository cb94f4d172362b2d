import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import { source } from "../table/tracker/source.ts";
import { tracker } from "../table/tracker/tracker.ts";

/**
 * Limits rows to devices of the operator's dealer. Operators with the permission `global` for trackers reach devices of
 * all dealers.
 */
export function visibleToOperator(
  { dealer_id, permissions }: Principal,
  table: { dealer_id: SQLiteColumn },
  ...conditions: (SQL | undefined)[]
) {
  const global = permissions.trackers?.includes("global") ? 1 : 0;
  return and(sql`(${table.dealer_id} = ${dealer_id} OR ${global})`, ...conditions);
}

/** Condition: the operator reaches the tracker, and the further conditions on `tracker` and `source` hold. */
export function isVisibleToOperator(principal: Principal, id: number, ...conditions: (SQL | undefined)[]): SQL {
  const condition = visibleToOperator(principal, source, eq(tracker.id, id), ...conditions);
  return sql`EXISTS (SELECT 1 FROM ${tracker} JOIN ${source} ON ${source.id} = ${tracker.source_id} WHERE ${condition})`;
}
