import { is, SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Limits, Principal } from "../caller/principal.ts";
import { ApiError } from "../error/api-error.ts";
import { demand } from "./steps.ts";

export type Owner = Pick<Principal, "account_id" | "limits">;
/** The table of the account's things, or an expression of their number. */
type CountedThings = (SQLiteTable & { account_id: SQLiteColumn }) | SQL<number>;

/** For a writing batch: the account may own `more` further things, else 268. */
export function demandQuota(owner: Owner, thing: keyof Limits, owned: CountedThings, more = 1) {
  return demand(sql`${more} <= ${quotaLeft(owner, thing, owned)}`, () => new ApiError(268));
}

/** How many further things the account may own; negative when its limit was lowered. */
export function quotaLeft({ account_id, limits }: Owner, thing: keyof Limits, owned: CountedThings): SQL {
  const count = is(owned, SQL) ? owned : sql`(SELECT count(*) FROM ${owned} WHERE ${owned.account_id} = ${account_id})`;
  return sql`(${limits[thing]} - ${count})`;
}
