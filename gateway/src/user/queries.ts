import { and, desc, eq, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { dealer } from "../table/dealer.ts";
import { menu } from "../table/menu.ts";
import { user } from "../table/user.ts";

const master = alias(user, "master");

/** The caller, its master, their dealer, and the menu set for the application. */
export async function selectSelf(db: Database, { user_id }: Principal, application = "") {
  const row = await db
    .select({ user, master, dealer, menu: menu.value })
    .from(user)
    .innerJoin(master, sql`${master.id} = coalesce(${user.master_id}, ${user.id})`)
    .innerJoin(dealer, eq(dealer.id, user.dealer_id))
    .leftJoin(
      menu,
      and(
        eq(menu.dealer_id, dealer.id),
        or(eq(menu.user_id, master.id), eq(menu.user_id, 0)),
        eq(menu.application, application),
      ),
    )
    .where(eq(user.id, user_id))
    // The user's own menu wins over its dealer's, whose id is 0.
    .orderBy(desc(menu.user_id))
    .limit(1)
    .get();
  // The user was deleted during the call.
  if (!row) throw new ApiError(4);
  return row;
}
