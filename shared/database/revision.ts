import { sql } from "drizzle-orm";
import { integer } from "drizzle-orm/sqlite-core";

/**
 * For rows that are read, decided on and sent back: every update that drizzle writes raises it, so that a write can demand
 * the revision that was read. An update in SQL of its own raises it itself.
 */
export function revisionColumn() {
  return integer()
    .notNull()
    .default(0)
    .$onUpdate(() => sql`revision + 1`);
}
