import type { RuleEvent, ZoneIndex } from "../../object/watched-rule.ts";
import type { Point } from "../../point/point.ts";
import type { Movement } from "./movement.ts";
import type { EvaluationState } from "./state.ts";

/** A point under evaluation, with the values before it. */
export type PointContext = {
  /** The state, which has the point's inputs, outputs and attributes already. */
  state: EvaluationState;
  before: Pick<EvaluationState, "inputs" | "outputs" | "attributes">;
  point: Point;
  /** The effective speed. */
  speedKmh: number;
  didMove: boolean;
  movements: readonly Movement[];
  zoneIndex: ZoneIndex;
};
export type Firing = Omit<RuleEvent, "rule_id">;
