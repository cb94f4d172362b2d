import type { VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";

/**
 * Returns the tracker, or throws unless it is visible, not blocked and its tariff has the journal. `parameter` is the
 * one that errors name.
 */
export function requireJournal([tracker]: VisibleTracker[], parameter: string): VisibleTracker {
  if (!tracker) throw invalid(parameter, "is not a tracker of yours");
  if (tracker.blocked) throw invalid(parameter, "is a blocked tracker");
  if (!tracker.features.includes("driver_journal")) throw new ApiError(236);
  return tracker;
}
