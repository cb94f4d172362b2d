import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { ApiError, type ErrorCode, type Extra } from "../error/api-error.ts";
import { isTaken } from "../error/failure.ts";
import type { Database } from "./open.ts";

/** For an insert: the row, if the condition holds in that moment. So what a row refers to is there when it is stored. */
export function rowIf<Table extends SQLiteTable>(table: Table, row: Table["$inferInsert"], condition: SQL | undefined) {
  const given: Record<string, unknown> = row;
  const values = Object.entries(getTableColumns(table)).map(([name, column]) =>
    sql.param(given[name] ?? column.default ?? null, column as SQLiteColumn),
  );
  return sql`SELECT ${sql.join(values, sql`, `)} WHERE ${condition ?? sql`TRUE`}`;
}

/** Turns the refusal of a unique index into the code that the caller knows. */
export function taken(code: ErrorCode, extra?: Extra) {
  return (thrown: unknown): never => {
    throw isTaken(thrown) ? new ApiError(code, extra) : thrown;
  };
}

/** The row of a statement that always gives one. */
export function only<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error("a row was expected");
  return row;
}

/** For a batch: whether the condition holds. */
export function selectWhether(db: Database, condition: SQL) {
  return db.select({ holds: sql<boolean>`${condition}`.mapWith(Boolean) }).from(sql`(SELECT 1)`);
}
