import { eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import type { Position } from "#shared/geometry/position.ts";
import { cellsAround } from "./cell.ts";

type CelledTable = Record<"id" | "account_id" | "cell", SQLiteColumn>;

/** Condition: the zone or place may contain one of the positions. */
export function isNearby(principal: Principal, table: CelledTable, ...positions: Position[]) {
  return isInCells(principal, table, [...new Set(positions.flatMap(({ lat, lng }) => cellsAround(lat, lng)))]);
}

/**
 * Condition: the zone or place is in one of the cells. A subquery, because SQLite would not use the index of cells
 * beside an order by id.
 */
export function isInCells({ account_id }: Principal, table: CelledTable, cells: number[]) {
  const near = among(table.cell, cells);
  return sql`${table.id} IN (SELECT ${table.id} FROM ${table.id.table} WHERE ${eq(table.account_id, account_id)} AND ${near})`;
}

/** The cells of the account's zones or places, one row for each, at most `limit`. */
export function selectCells(db: Database, { account_id }: Principal, table: CelledTable, limit: number) {
  return db
    .select({ cell: sql<number>`${table.cell}` })
    .from(table.id.table)
    .where(eq(table.account_id, account_id))
    .orderBy(table.cell)
    .limit(limit);
}
