import { eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { ApiError } from "#shared/api-error.ts";
import type { Database } from "#shared/database.ts";
import type { Principal } from "#shared/principal.ts";
import { dealer } from "../dealer/table.ts";
import { user } from "./table.ts";

const master = alias(user, "master");

/** The caller itself, its master and their dealer. */
export async function selectSelf(db: Database, { user_id }: Principal) {
  const row = await db
    .select({ user, master, dealer })
    .from(user)
    .innerJoin(master, sql`${master.id} = coalesce(${user.master_id}, ${user.id})`)
    .innerJoin(dealer, eq(dealer.id, user.dealer_id))
    .where(eq(user.id, user_id))
    .get();
  // Deleted while the call was under way.
  if (!row) throw new ApiError(4);
  return row;
}
