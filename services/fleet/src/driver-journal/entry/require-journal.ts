import type { VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";

/**
 * Returns the tracker, or throws unless it is visible and its tariff has the journal. Entries of a blocked tracker can
 * be read. `parameter` is the one that errors name.
 */
export function requireJournal([tracker]: VisibleTracker[], parameter: string): VisibleTracker {
  if (!tracker) throw invalid(parameter, "is not a tracker of yours");
  if (!tracker.features.includes("driver_journal")) throw new ApiError(236);
  return tracker;
}

/** Like `requireJournal` for a tracker whose journal is changed or whose points are read: 208 when it is blocked. */
export function requireUsableJournal(trackers: VisibleTracker[], parameter: string): VisibleTracker {
  const tracker = requireJournal(trackers, parameter);
  if (tracker.blocked) throw new ApiError(208);
  return tracker;
}
