import { is, SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Limits, Principal } from "../caller/principal.ts";
import { ApiError } from "../error/api-error.ts";
import { demand } from "./steps.ts";

export type Owner = Pick<Principal, "account_id" | "limits">;
/** The table that has the things, or how many of them the account has. */
type CountedThings = (SQLiteTable & { account_id: SQLiteColumn }) | SQL<number>;

/** For a writing batch: that the account may own so many more of the thing. */
export function demandQuota(owner: Owner, thing: keyof Limits, owned: CountedThings, more = 1) {
  return demand(sql`${more} <= ${quotaLeft(owner, thing, owned)}`, () => new ApiError(268));
}

/** How many more of the thing the account may own; below zero where its limit was lowered. */
export function quotaLeft({ account_id, limits }: Owner, thing: keyof Limits, owned: CountedThings): SQL {
  const count = is(owned, SQL) ? owned : sql`(SELECT count(*) FROM ${owned} WHERE ${owned.account_id} = ${account_id})`;
  return sql`(${limits[thing]} - ${count})`;
}
