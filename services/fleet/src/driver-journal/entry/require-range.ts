import { invalid } from "#shared/error/api-error.ts";

/** Requires both ends although each parameter is optional on its own: a call with `entry_ids` needs neither. */
export function requireRange(from: number | undefined, to: number | undefined) {
  if (from === undefined || to === undefined) throw invalid("interval", "must have from and to");
  if (from > to) throw invalid("interval", "must have from before to");
  return { from, to };
}
