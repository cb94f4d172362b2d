import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { boundedByCode } from "#shared/operation/fields.ts";

const MAX_TRACKERS_PER_CALL = 500;

/** The parameter `trackers`. The schema documents the limit but lets `requireBounded` refuse longer lists with 221. */
export const BoundedTrackerIds = boundedByCode(z.array(z.int()), MAX_TRACKERS_PER_CALL);

/** The distinct ids; 221 for more than `MAX_TRACKERS_PER_CALL`. */
export function requireBounded(trackers: number[]): number[] {
  const ids = [...new Set(trackers)];
  if (ids.length > MAX_TRACKERS_PER_CALL) throw new ApiError(221);
  return ids;
}
