import { sql } from "drizzle-orm";
import { isThere } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { demand } from "#shared/database/steps.ts";
import { ApiError, type ErrorCode } from "#shared/error/api-error.ts";
import { removedTracker } from "../table/tracker/removed-tracker.ts";

/** Demands that the tracker, which fleet knew before the transaction, has not been removed since. */
export function demandTracker(tracker_id: number | null, missing: ErrorCode) {
  return tracker_id === null ? undefined : demandTrackers([tracker_id], missing);
}

/** Demands that none of the trackers, which fleet knew before the transaction, has been removed since. */
export function demandTrackers(tracker_ids: number[], missing: ErrorCode) {
  const isRemoved = isThere(removedTracker, among(removedTracker.tracker_id, tracker_ids));
  return demand(sql`NOT ${isRemoved}`, () => new ApiError(missing));
}
