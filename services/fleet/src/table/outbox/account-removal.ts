import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Removed accounts whose data other services have not erased yet. */
export const accountRemoval = sqliteTable("account_removal", { account_id: integer().primaryKey() });
