import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Limits, Principal } from "../caller/principal.ts";
import { ApiError } from "../error/api-error.ts";
import { demand } from "./steps.ts";

export type Owner = Pick<Principal, "account_id" | "limits">;
type Owned = SQLiteTable & { account_id: SQLiteColumn };

/** For a writing batch: that the account may own so many more of the thing, whose rows the table has. */
export function demandRoom(owner: Owner, thing: keyof Limits, table: Owned, more = 1) {
  return demand(sql`${more} <= ${roomLeft(owner, thing, table)}`, () => new ApiError(268));
}

/** How many more of the thing the account may own; below zero where its limit was lowered. */
export function roomLeft({ account_id, limits }: Owner, thing: keyof Limits, table: Owned): SQL {
  return sql`(${limits[thing]} - (SELECT count(*) FROM ${table} WHERE ${table.account_id} = ${account_id}))`;
}
