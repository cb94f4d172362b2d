import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Calls of each user that optimize a tour, since `began`; a call takes up to two seconds of a Worker. */
export const tourCount = sqliteTable(
  "tour_count",
  {
    user_id: integer().primaryKey(),
    account_id: integer().notNull(),
    /** UTC milliseconds. */
    began: integer().notNull(),
    calls: integer().notNull(),
  },
  (table) => [index("tour_count_account").on(table.account_id), index("tour_count_began").on(table.began)],
);
