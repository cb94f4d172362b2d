import type { Quantity } from "#shared/contract/meter.ts";
import type { Identity } from "../point/point.ts";

/**
 * What has run up to the very point. `needed` and `cuts` are answered however many chunks must be read for them, `times`
 * as far as one page of the database's holds what they take, the earlier first.
 */
export type MomentSearch = {
  needed: number[];
  /** Each asks for the first point at or behind it, and what had run up there. */
  cuts: number[];
  times: number[];
  of: Quantity[];
  since: number;
};
/** Quantities by time. */
export type Moments = { cuts: Identity[]; values: Map<number, number[]> };
