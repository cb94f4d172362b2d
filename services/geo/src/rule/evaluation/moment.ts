import type { RuleEvent, Surroundings } from "../../object/watched-rule.ts";
import type { Point } from "../../point/point.ts";
import type { Movement } from "./movement.ts";
import type { EvaluationState } from "./state.ts";

/** The point that is looked at, and what was known before it. */
export type Moment = {
  /** With what the point tells of inputs, outputs and attributes. */
  state: EvaluationState;
  before: Pick<EvaluationState, "inputs" | "outputs" | "attributes">;
  point: Point;
  /** The effective one in km/h. */
  speed: number;
  moved: boolean;
  movements: readonly Movement[];
  surroundings: Surroundings;
};
export type Firing = Omit<RuleEvent, "rule_id">;
