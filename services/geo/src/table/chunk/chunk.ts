import { sql } from "drizzle-orm";
import { blob, index, integer, real, sqliteTable, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Up to 2,000 points of one tracker. Chunks of one tracker never overlap; only its feed writes and removes them. */
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
    /** Meters between the chunk's points; the step from the previous chunk is not included. */
    length: real().notNull(),
    /** km/h */
    max_speed: real().notNull(),
    south: real().notNull(),
    west: real().notNull(),
    north: real().notNull(),
    /** Less than `west` if the chunk crosses the date line. */
    east: real().notNull(),
    /** Size of the compressed points, by which pages are cut without reading the points. */
    bytes: integer().notNull(),
    /** The number of the feed's flush, and the chunk's position in it: the unique index stores a flush only once. */
    flush: integer().notNull(),
    part: integer().notNull(),
    /** Empty if the points are in the archive. */
    data: blob({ mode: "buffer" }).notNull(),
    /** The number of the tracker's archive object that holds the points; null: the points are in `data`. */
    object: integer(),
    /** Offset of the points in the archive object; their length is `bytes`. */
    object_offset: integer(),
  },
  (table) => [
    // Serves selectChunkPages.
    index("chunk_account_tracker_to").on(table.account_id, table.tracker_id, table.to, table.from),
    uniqueIndex("chunk_account_tracker_flush").on(table.account_id, table.tracker_id, table.flush, table.part),
    // Serves selectUnarchived.
    index("chunk_unarchived").on(table.account_id, table.tracker_id, table.to).where(sql`object IS NULL`),
    // Serves deleteChunks.
    index("chunk_object").on(table.object).where(sql`object IS NOT NULL`),
  ],
);
export type ChunkRow = typeof chunk.$inferSelect;
type Archived = "object" | "object_offset";
export type NewChunk = Omit<ChunkRow, "id" | "account_id" | "tracker_id" | "flush" | "part" | Archived>;
/** A chunk without its points, wherever they are stored. */
export type ChunkHeader = Omit<ChunkRow, "data" | "account_id" | "tracker_id" | Archived>;
