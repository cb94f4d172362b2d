import { type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { accountSize } from "../table/account-size.ts";

/** The kinds of things whose number `account_size` holds. */
export type CountedKind = "employees" | "vehicles";

/** The number of the account's employees or vehicles, read from `account_size` instead of counting rows. */
export function sizeOf({ account_id }: Pick<Principal, "account_id">, kind: CountedKind): SQL<number> {
  return sql<number>`coalesce((SELECT ${accountSize[kind]} FROM ${accountSize} WHERE ${accountSize.account_id} = ${account_id}), 0)`;
}
