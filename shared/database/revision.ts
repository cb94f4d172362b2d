import { sql } from "drizzle-orm";
import { integer } from "drizzle-orm/sqlite-core";

/**
 * Column that every update by drizzle raises: a write can demand the revision that was read before. Updates in raw SQL
 * must raise it themselves.
 */
export function revisionColumn() {
  return integer()
    .notNull()
    .default(0)
    .$onUpdate(() => sql`revision + 1`);
}
