import { invalid } from "#shared/error/api-error.ts";

/** Both ends are required, whatever else a call may leave out. */
export function requireRange(from: number | undefined, to: number | undefined) {
  if (from === undefined || to === undefined) throw invalid("interval", "must have from and to");
  if (from > to) throw invalid("interval", "must have from before to");
  return { from, to };
}
