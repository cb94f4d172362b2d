import { lt, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { durationOf, SECOND_MS } from "#shared/time/duration.ts";
import { tourCount } from "../../table/task/tour-count.ts";

const MAX_CALLS_PER_SPAN = 20;
const SPAN_MS = 10 * SECOND_MS;

/** Counts the call. Throws 264 when the user exceeds the limit, with the length of the span and the rest of it. */
export async function countTour(db: Database, { account_id, user_id }: Principal, now: number) {
  const isOver = sql`${tourCount.began} <= ${now - SPAN_MS}`;
  const rows = await db
    .insert(tourCount)
    .values({ user_id, account_id, began: now, calls: 1 })
    .onConflictDoUpdate({
      target: tourCount.user_id,
      set: {
        began: sql`iif(${isOver}, ${now}, ${tourCount.began})`,
        calls: sql`iif(${isOver}, 1, ${tourCount.calls} + 1)`,
      },
    })
    .returning({ began: tourCount.began, calls: tourCount.calls });
  const { began, calls } = onlyRow(rows);
  if (calls <= MAX_CALLS_PER_SPAN) return;
  const left = Math.min(Math.max(began + SPAN_MS - now, 1), SPAN_MS);
  throw new ApiError(264, { timeout: durationOf(SPAN_MS), remainder: durationOf(left) });
}

/** Deletes counts whose span has passed. */
export async function deleteOldTourCounts(db: Database, now: number) {
  await db.delete(tourCount).where(lt(tourCount.began, now - SPAN_MS));
}
