import { eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { cellsAround } from "./cell.ts";

type CelledTable = Record<"id" | "account_id" | "cell", SQLiteColumn>;

/** That the thing may contain one of the places. */
export function isNearby(principal: Principal, table: CelledTable, ...positions: { lat: number; lng: number }[]) {
  return isInCells(principal, table, [...new Set(positions.flatMap(({ lat, lng }) => cellsAround(lat, lng)))]);
}

/**
 * That the thing is kept in one of the cells. By its id from a query of its own, for which nothing but the index of cells is
 * of use: beside an order by ids it would not be taken.
 */
export function isInCells({ account_id }: Principal, table: CelledTable, cells: number[]) {
  const near = among(table.cell, cells);
  return sql`${table.id} IN (SELECT ${table.id} FROM ${table.id.table} WHERE ${eq(table.account_id, account_id)} AND ${near})`;
}

/** The first cells of the account's things, one for each thing: as many as asked for where there are more. */
export function selectCells(db: Database, { account_id }: Principal, table: CelledTable, limit: number) {
  return db
    .select({ cell: sql<number>`${table.cell}` })
    .from(table.id.table)
    .where(eq(table.account_id, account_id))
    .orderBy(table.cell)
    .limit(limit);
}
