import { eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { dealer } from "../../table/dealer.ts";
import { operator } from "../../table/operator.ts";

/** Finds an operator by login. Not limited to a dealer, because the caller is not known yet. */
export function selectOperator(db: Database, login: string) {
  return db
    .select({ operator, hasDealer: isNotNull(dealer.id) })
    .from(operator)
    .leftJoin(dealer, eq(dealer.id, operator.dealer_id))
    .where(eq(sql`lower(${operator.login})`, login.toLowerCase()))
    .get();
}
