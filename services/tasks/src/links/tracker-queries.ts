import { eq, sql } from "drizzle-orm";
import { isThere } from "#shared/database/rows.ts";
import { demand } from "#shared/database/steps.ts";
import { ApiError, type ErrorCode } from "#shared/error/api-error.ts";
import { removedTracker } from "../table/removed-tracker.ts";

/** That the tracker, which fleet knew a moment ago, has not been removed since. */
export function demandTracker(tracker_id: number | null, missing: ErrorCode) {
  if (tracker_id === null) return undefined;
  const isRemoved = isThere(removedTracker, eq(removedTracker.tracker_id, tracker_id));
  return demand(sql`NOT ${isRemoved}`, () => new ApiError(missing));
}
