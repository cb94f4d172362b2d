import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { place } from "../../table/place.ts";

/** For a batch: places lose what they had in these custom fields, whose ids the query gives. */
export function forgetFields(db: Database, account_id: number, gone: SQL) {
  const kept = sql`FROM json_each(${place.fields}) WHERE key NOT IN (${gone})`;
  return db
    .update(place)
    .set({
      fields: sql`(SELECT json_group_object(key, json(value)) ${kept})`,
      searched_fields: sql`(SELECT coalesce(group_concat(value ->> 'folded', char(10)), '') ${kept})`,
    })
    .where(
      and(
        eq(place.account_id, account_id),
        sql`EXISTS (${gone})`,
        sql`EXISTS (SELECT 1 FROM json_each(${place.fields}) WHERE key IN (${gone}))`,
      ),
    );
}
