import { type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { accountSize } from "../table/account-size.ts";

/** Things whose number is kept. */
export type CountedKind = "employees" | "vehicles";

/** How many of the thing the account has, without counting them. */
export function sizeOf({ account_id }: Pick<Principal, "account_id">, thing: CountedKind): SQL<number> {
  return sql<number>`coalesce((SELECT ${accountSize[thing]} FROM ${accountSize} WHERE ${accountSize.account_id} = ${account_id}), 0)`;
}
