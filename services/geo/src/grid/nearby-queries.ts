import { eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import { among } from "#shared/database/scope.ts";
import { cellsAround } from "./cell.ts";

type Celled = Record<"id" | "account_id" | "cell", SQLiteColumn>;

/**
 * That the thing may contain one of the places. By its id from a query of its own, for which nothing but the index of cells is
 * of use: beside an order by ids it would not be taken.
 */
export function isNearby({ account_id }: Principal, table: Celled, ...places: { lat: number; lng: number }[]) {
  const near = among(table.cell, [...new Set(places.flatMap(({ lat, lng }) => cellsAround(lat, lng)))]);
  return sql`${table.id} IN (SELECT ${table.id} FROM ${table.id.table} WHERE ${eq(table.account_id, account_id)} AND ${near})`;
}
