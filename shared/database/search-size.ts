import { sql } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import type { Principal } from "../caller/principal.ts";
import { invalid } from "../error/api-error.ts";
import { demand } from "./steps.ts";

/** Size of the searched texts of each account. Triggers maintain it: summing would take as long as the search. */
export function searchSizeTable() {
  return sqliteTable("search_size", {
    account_id: integer().primaryKey(),
    things: integer().notNull(),
    /** Bytes of all searched texts. */
    bytes: integer().notNull(),
  });
}
export type SearchSizeTable = ReturnType<typeof searchSizeTable>;

/** In front of a search for several texts: refuses it when the account is too large. One text is always searched. */
export function demandSearchable(table: SearchSizeTable, { account_id }: Pick<Principal, "account_id">, texts: number) {
  if (texts <= 1) return undefined;
  const size = sql`(${table.bytes} + ${table.things} * ${BYTES_PER_THING}) * ${texts}`;
  const isTooMuch = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.account_id} = ${account_id} AND ${size} > ${MAX_COMPARED_BYTES})`;
  return demand(sql`NOT ${isTooMuch}`, () =>
    invalid("conditions", `look for ${texts} texts, which takes too long in so much: look for fewer at a time`),
  );
}

/** Searching a thing costs as much as comparing this many bytes, besides its texts. */
const BYTES_PER_THING = 20;
/** Bytes that can be compared within two seconds, at 1 to 4 ns per byte. */
const MAX_COMPARED_BYTES = 500_000_000;
