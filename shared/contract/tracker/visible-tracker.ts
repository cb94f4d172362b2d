import { ApiError, type ErrorCode } from "../../error/api-error.ts";
import type { Feature } from "./tariff.ts";

/** A tracker that the principal sees, as other services need it. */
export type VisibleTracker = {
  tracker_id: number;
  label: string;
  source_id: number;
  model: string;
  /** When the device was registered, UTC milliseconds. */
  creation_date: number;
  clone: boolean;
  blocked: boolean;
  /** The tracker whose points are shown: the tracker itself, or a clone's original. */
  feed: { account_id: number; tracker_id: number };
  features: Feature[];
  has_reports: boolean;
  store_period: string;
  /** Liters per 100 km of the tracker's vehicle. */
  norm_avg_fuel_consumption: number | null;
};

/** `missing` is the error code for an unknown or hidden tracker; without `feature` no feature is required. */
type Requirement = { missing: ErrorCode; feature?: Feature };

/** Returns the one tracker: `missing` when unknown or hidden, 208 when blocked, 236 without the feature. */
export function requireTracker(found: VisibleTracker[], { missing, feature }: Requirement): VisibleTracker {
  const [tracker] = found;
  if (!tracker) throw new ApiError(missing);
  if (tracker.blocked) throw new ApiError(208);
  if (feature && !tracker.features.includes(feature)) throw new ApiError(236);
  return tracker;
}

/** Returns the trackers: 217 when any is unknown, hidden, blocked or without the feature. */
export function requireTrackers(found: VisibleTracker[], ids: number[], feature?: Feature): VisibleTracker[] {
  const usable = new Set(
    found
      .filter((tracker) => !tracker.blocked && (!feature || tracker.features.includes(feature)))
      .map((tracker) => tracker.tracker_id),
  );
  if (!ids.every((id) => usable.has(id))) throw new ApiError(217);
  return found;
}
