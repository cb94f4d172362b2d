import { integer, type SQLiteColumn, type SQLiteTable, text } from "drizzle-orm/sqlite-core";

/** Columns of a table of files for which a service issued tickets. */
export function ticketFileColumns() {
  return {
    /** The id that the files service gave. */
    id: integer().primaryKey(),
    account_id: integer().notNull(),
    /** Things can refer to `uploaded` files only; a file that is `removing` is being removed. */
    state: text({ enum: ["created", "uploaded", "removing"] }).notNull(),
    /** UTC milliseconds after which the file is removed; null while a thing refers to it. */
    expires: integer(),
  };
}
type IdColumn = SQLiteColumn & { _: { data: number; notNull: true } };
export type TicketFileTable = SQLiteTable &
  Record<"id" | "account_id", IdColumn> &
  Record<"state" | "expires", SQLiteColumn>;
