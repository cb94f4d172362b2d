import { ApiError } from "#shared/error/api-error.ts";

/** 221 above what one answer may hold. */
export function requireFew(trackers: number[]): number[] {
  const ids = [...new Set(trackers)];
  if (ids.length > MOST_TRACKERS) throw new ApiError(221);
  return ids;
}

const MOST_TRACKERS = 500;
