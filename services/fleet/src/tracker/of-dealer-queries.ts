import { and, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";

/** Devices of the operator's dealer; operators with the permission reach those of others too. */
export function ofDealer(
  { dealer_id, permissions }: Principal,
  table: { dealer_id: SQLiteColumn },
  ...conditions: (SQL | undefined)[]
) {
  const global = permissions.trackers?.includes("global") ? 1 : 0;
  return and(sql`(${table.dealer_id} = ${dealer_id} OR ${global})`, ...conditions);
}
