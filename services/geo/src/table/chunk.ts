import { blob, index, integer, real, sqliteTable, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Up to 2,000 points of one tracker. Chunks of one tracker never overlap; only its feed writes them. */
export const chunk = sqliteTable(
  "chunk",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    from: integer().notNull(),
    from_lat: real().notNull(),
    from_lng: real().notNull(),
    to: integer().notNull(),
    to_lat: real().notNull(),
    to_lng: real().notNull(),
    count: integer().notNull(),
    lbs_count: integer().notNull(),
    /** Meters between its own points; the step from the chunk before is not in it. */
    length: real().notNull(),
    /** km/h */
    max_speed: real().notNull(),
    south: real().notNull(),
    west: real().notNull(),
    north: real().notNull(),
    /** Less than `west` where the chunk crosses the date line. */
    east: real().notNull(),
    /** The size of `data`, so that pages can be cut without reading it. */
    bytes: integer().notNull(),
    /** The feed's count of its flushes, and the chunk's place in that flush: a flush can be stored only once. */
    flush: integer().notNull(),
    part: integer().notNull(),
    data: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [
    index("chunk_account_tracker_to").on(table.account_id, table.tracker_id, table.to, table.from),
    uniqueIndex("chunk_account_tracker_flush").on(table.account_id, table.tracker_id, table.flush, table.part),
  ],
);
export type ChunkRow = typeof chunk.$inferSelect;
export type NewChunk = Omit<ChunkRow, "id" | "account_id" | "tracker_id" | "flush" | "part">;
/** What is known of a chunk without its points. */
export type ChunkHeader = Omit<ChunkRow, "data" | "account_id" | "tracker_id">;
