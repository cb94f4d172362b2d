import { ApiError, type ErrorCode } from "../error/api-error.ts";
import type { Feature } from "./tariff.ts";

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

/** `missing` is the code for one that is not there; without a feature, none is needed. */
type Requirement = { missing: ErrorCode; feature?: Feature };

/** One tracker by id: not there or not visible is `missing`, blocked 208, without the tariff's feature 236. */
export function requireTracker(found: VisibleTracker[], { missing, feature }: Requirement): VisibleTracker {
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
