import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Principal, Scope } from "../caller/principal.ts";

/** A table of customer data; `tracker_id` when its rows may belong to a tracker. */
type Scoped = { account_id: SQLiteColumn; tracker_id?: SQLiteColumn };

/** The principal's visible rows: those of its account, without those of trackers hidden from it. */
export function visibleTo(
  { account_id, scope }: Pick<Principal, "account_id" | "scope">,
  table: Scoped,
  ...conditions: (SQL | undefined)[]
) {
  const { tracker_id } = table;
  const shown = tracker_id && scope !== "all" ? or(isNull(tracker_id), among(tracker_id, scope)) : undefined;
  return and(eq(table.account_id, account_id), shown, ...conditions);
}

/** `visibleTo` for a prepared statement; `callerOf` gives its values at run time. */
export function visibleToCaller(table: Scoped, ...conditions: (SQL | undefined)[]) {
  const { tracker_id } = table;
  const scope = sql.placeholder("scope");
  const shown =
    tracker_id &&
    sql`(${scope} IS NULL OR ${tracker_id} IS NULL OR ${tracker_id} IN (SELECT value FROM json_each(${scope})))`;
  return and(eq(table.account_id, sql.placeholder("account_id")), shown, ...conditions);
}

/** Values of the placeholders of `visibleToCaller`. */
export function callerOf({ account_id, scope }: Pick<Principal, "account_id" | "scope">) {
  return { account_id, scope: scope === "all" ? null : JSON.stringify(scope) };
}

/** One JSON parameter for any number of ids: no limit on variables, and one statement to prepare. */
export function among(column: SQLiteColumn | SQL, values: Exclude<Scope, "all"> | string[]) {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
