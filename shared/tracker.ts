import { ApiError, type ErrorCode } from "./api-error.ts";
import type { Feature } from "./plan.ts";

/** What fleet tells geo of a device whenever it changes. */
export type Device = {
  tracker_id: number;
  account_id: number;
  source_id: number;
  device_id: string;
  model: string;
  blocked: boolean;
  /** For good: the device is nobody's, until somebody registers it anew. */
  removed?: true;
  revision: number;
};

/** A tracker that the principal sees, with what other services need to know of it. */
export type VisibleTracker = {
  tracker_id: number;
  label: string;
  source_id: number;
  model: string;
  /** When the device was registered, UTC milliseconds. */
  creation_date: number;
  clone: boolean;
  blocked: boolean;
  /** Whose points it shows: its own, or those of the tracker that it is a clone of. */
  feed: { account_id: number; tracker_id: number };
  features: Feature[];
  has_reports: boolean;
  store_period: string;
  /** Of the vehicle that it is on: liters per 100 km. */
  norm_avg_fuel_consumption: number | null;
};

type Wanted = { missing: ErrorCode; feature?: Feature };

/** One tracker by id: not there or not visible is `missing`, blocked 208, without the plan's feature 236. */
export function requireTracker(found: VisibleTracker[], { missing, feature }: Wanted): VisibleTracker {
  const [tracker] = found;
  if (!tracker) throw new ApiError(missing);
  if (tracker.blocked) throw new ApiError(208);
  if (feature && !tracker.features.includes(feature)) throw new ApiError(236);
  return tracker;
}

/** A list of ids: any that is not there, not visible, blocked or without the feature makes it 217. */
export function requireTrackers(found: VisibleTracker[], ids: number[], feature?: Feature): VisibleTracker[] {
  const usable = new Set(
    found
      .filter((tracker) => !tracker.blocked && (!feature || tracker.features.includes(feature)))
      .map((tracker) => tracker.tracker_id),
  );
  if (!ids.every((id) => usable.has(id))) throw new ApiError(217);
  return found;
}
