import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Accounts removed for good, of which files is still to hear. */
export const goneAccount = sqliteTable("gone_account", { account_id: integer().primaryKey() });
