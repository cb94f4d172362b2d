import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Accounts removed for good, of which files is still to hear. */
export const accountRemoval = sqliteTable("account_removal", { account_id: integer().primaryKey() });
