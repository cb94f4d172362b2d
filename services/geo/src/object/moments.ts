import type { Quantity } from "#shared/contract/point/meter.ts";
import type { Identity } from "../point/point.ts";

/**
 * A request for exact counter quantities. `needed` and `cuts` are answered however many chunks must be read for them;
 * `times` only as far as their chunks fit into one page, earlier ones first.
 */
export type MomentSearch = {
  needed: number[];
  /** For each, the first point at or after it, and the quantities there. */
  cuts: number[];
  times: number[];
  of: Quantity[];
  since: number;
};
/** The cut points, and quantities by time. */
export type Moments = { cuts: Identity[]; values: Map<number, number[]> };
