import { z } from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { boundedByCode } from "#shared/operation/fields.ts";

const MAX_TRACKERS_PER_CALL = 500;

/** As a call names them, for `requireFew`. */
export const BoundedTrackerIds = boundedByCode(z.array(z.int()), MAX_TRACKERS_PER_CALL);

/** 221 above what one answer may hold. */
export function requireBounded(trackers: number[]): number[] {
  const ids = [...new Set(trackers)];
  if (ids.length > MAX_TRACKERS_PER_CALL) throw new ApiError(221);
  return ids;
}
