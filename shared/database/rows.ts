import type { InValue } from "@libsql/client/web";
import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { ApiError, type ErrorCode, type Extra } from "../error/api-error.ts";
import { isTaken } from "../error/failure.ts";
import type { Database } from "./open.ts";

/**
 * Inserts the row only if the condition holds in the same transaction, for example that the rows it refers to exist.
 */
export function rowIf<Table extends SQLiteTable>(table: Table, row: Table["$inferInsert"], condition: SQL | undefined) {
  const columnValues: Record<string, unknown> = row;
  const values = Object.entries(getTableColumns(table)).map(([name, column]) =>
    sql.param(columnValues[name] ?? column.default ?? null, column as SQLiteColumn),
  );
  return sql`SELECT ${sql.join(values, sql`, `)} WHERE ${condition ?? sql`TRUE`}`;
}

/** The table has a row with this condition. */
export function isThere(table: SQLiteTable, condition: SQL | undefined): SQL {
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`;
}

/** The row is unchanged since it was read, for tables without a revision. */
export function isAsRead<Table extends SQLiteTable>(table: Table, row: Table["$inferSelect"]): SQL {
  const read: Record<string, unknown> = row;
  const columns = Object.entries(getTableColumns(table)) as [string, SQLiteColumn][];
  const same = columns.map(([name, column]) => sql`${column} IS ${sql.param(read[name] ?? null, column)}`);
  return isThere(table, sql.join(same, sql` AND `));
}

/** Handler for `.catch` that turns the violation of a unique index into this code. */
export function throwIfTaken(code: ErrorCode, extra?: Extra) {
  return (thrown: unknown): never => {
    throw isTaken(thrown) ? new ApiError(code, extra) : thrown;
  };
}

/** The row of a statement that always returns one. */
export function onlyRow<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error("a row was expected");
  return row;
}

/** For a batch: selects whether the condition holds. */
export function selectWhether(db: Database, condition: SQL) {
  return db.select({ holds: sql<boolean>`${condition}`.mapWith(Boolean) }).from(sql`(SELECT 1)`);
}

/** The rows of a query in SQL, with members named after its columns. */
export async function selectObjects<Row>(db: Database, query: SQL): Promise<Row[]> {
  const { sql: text, params } = DIALECT.sqlToQuery(query);
  const { columns, rows } = await db.$client.execute({ sql: text, args: params as InValue[] }); // as drizzle binds them
  // The caller's query has the columns of `Row`.
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])) as Row);
}

const DIALECT = new SQLiteAsyncDialect();
