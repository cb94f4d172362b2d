import { sql } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import type { Principal } from "../caller/principal.ts";
import { invalid } from "../error/api-error.ts";
import { demand } from "./steps.ts";

/** How much of each account a search looks through. Triggers of the service's database keep it, for a sum takes as long. */
export function searchSizeTable() {
  return sqliteTable("search_size", {
    account_id: integer().primaryKey(),
    things: integer().notNull(),
    /** Bytes of all texts by which the things are found. */
    bytes: integer().notNull(),
  });
}
export type SearchSizeTable = ReturnType<typeof searchSizeTable>;

/** In front of a search for so many texts: that the account is not too large for it. One text is sought in any account. */
export function demandSearchable(table: SearchSizeTable, { account_id }: Pick<Principal, "account_id">, texts: number) {
  if (texts <= 1) return undefined;
  const size = sql`(${table.bytes} + ${table.things} * ${BYTES_PER_THING}) * ${texts}`;
  const isTooMuch = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.account_id} = ${account_id} AND ${size} > ${MAX_COMPARED_BYTES})`;
  return demand(sql`NOT ${isTooMuch}`, () =>
    invalid("conditions", `look for ${texts} texts, which takes too long in so much: look for fewer at a time`),
  );
}

/** A text costs so much in a thing besides the bytes that are compared. */
const BYTES_PER_THING = 20;
/** Bytes compared within two seconds: a byte takes 1 to 4 ns, by how often texts that are not there seem to begin. */
const MAX_COMPARED_BYTES = 500_000_000;
