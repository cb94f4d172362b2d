import { z } from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { boundedByCode } from "#shared/operation/fields.ts";

const MOST_TRACKERS = 500;

/** As a call names them, for `requireFew`. */
export const FewTrackers = boundedByCode(z.array(z.int()), MOST_TRACKERS);

/** 221 above what one answer may hold. */
export function requireFew(trackers: number[]): number[] {
  const ids = [...new Set(trackers)];
  if (ids.length > MOST_TRACKERS) throw new ApiError(221);
  return ids;
}
