import type { WatchedRule, ZoneIndex } from "../../object/watched-rule.ts";
import type { Point } from "../../point/point.ts";
import { detectPassages, hasMoved, type Passage, presencesAt } from "../evaluation/presence.ts";
import { initialRuleState, initialState } from "../evaluation/state.ts";

/** `entered`: ids of the zones that contain the first point. `passages`: entries and exits that the point confirms. */
type WalkStep = { entered: number[]; passages: Passage[] };

/** Follows a tracker through the zones of a rule, point by point in time order. */
export class ZoneWalk {
  #state = initialState();
  #ruleState = initialRuleState("");
  #rule: WatchedRule;
  #zoneIndex: ZoneIndex;

  constructor(rule: WatchedRule, zoneIndex: ZoneIndex) {
    this.#rule = rule;
    this.#zoneIndex = zoneIndex;
  }

  addPoint(point: Point): WalkStep {
    const [state, ruleState, zoneIndex] = [this.#state, this.#ruleState, this.#zoneIndex];
    let entered: number[] = [];
    if (!state.last) {
      ruleState.zones = presencesAt(this.#rule, point, zoneIndex);
      entered = Object.keys(ruleState.zones).map(Number);
    }
    const didMove = hasMoved(state, point);
    const passages = detectPassages(this.#rule, ruleState, { state, point, didMove, zoneIndex });
    if (didMove || !state.lastMovedAt) state.lastMovedAt = { lat: point.lat, lng: point.lng };
    const { time, lat, lng, precision, gsm_lbs } = point;
    state.last = { time, lat, lng, precision, gsm_lbs, speed: 0 };
    return { entered, passages };
  }

  /** Ids of zones of whose border the last point is the first on the other side; the passage is not confirmed yet. */
  get newlyCrossed(): number[] {
    const zones = Object.entries(this.#ruleState.zones);
    return zones.flatMap(([id, { pendingChange }]) => (pendingChange?.count === 1 ? [Number(id)] : []));
  }
}
