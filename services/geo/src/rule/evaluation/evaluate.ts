import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TripRules } from "../../object/trip.ts";
import { numberIn, type RuleEvent, type WatchedRule, type ZoneIndex } from "../../object/watched-rule.ts";
import { measureStep, reportedSpeedKmh } from "../../point/measured.ts";
import type { Point } from "../../point/point.ts";
import type { RuleType } from "../../table/rule/rule.ts";
import { findFirings, toMovementFiring } from "./find-firings.ts";
import { detectMovements, detectOverdueStop, type Movement, NO_MOVEMENTS, parkingDueTime } from "./movement.ts";
import { outputsOf } from "./output.ts";
import type { Firing } from "./point-context.ts";
import { hasMoved, presencesAt } from "./presence.ts";
import { RULE_KINDS } from "./rule-kinds.ts";
import { type EvaluationState, initialRuleState, type RuleState, type SeenPoint } from "./state.ts";
import { isRuleActive, limitingZonesAt } from "./zone-limit.ts";

/** Everything that evaluation needs besides the state and the point. */
export type EvaluationContext = {
  rules: WatchedRule[];
  /** Since when the rule is evaluated: earlier points only set its initial state. */
  startTimeOf(rule: WatchedRule): number;
  zoneIndex: ZoneIndex;
  /** Null: no rule is about trips and stops, so they are not detected. */
  trips: TripRules | null;
};

/** Evaluates the next point in time order: updates `state` in place and answers the rule events. */
export function evaluatePoint(state: EvaluationState, point: Point, context: EvaluationContext): readonly RuleEvent[] {
  let events = evaluateTime(state, point.time - 1, context);
  startNewRules(state, point, context);
  const didMove = hasMoved(state, point);
  const { trips, zoneIndex } = context;
  // Only trip detection needs the step's length.
  const step = trips && measureStep(state.last, point);
  const speedKmh = step ? step.speedKmh : speedKmhOf(state.last, point);
  const movements = trips && step ? detectMovements(state, point, step, trips) : NO_MOVEMENTS;
  const { inputs, outputs, attributes } = state;
  rememberValues(state, point, context.rules);
  const before = { inputs, outputs, attributes };
  const pointContext = { state, point, speedKmh, didMove, movements, before, zoneIndex };
  for (const rule of context.rules) {
    const ruleState = state.rules[rule.id];
    if (!ruleState) continue;
    const firings = findFirings(rule, ruleState, pointContext);
    // Most points fire no rule.
    if (firings.length > 0) events = [...events, ...admitFirings(rule, ruleState, firings, context, point.gsm_lbs)];
  }
  if (didMove || !state.lastMovedAt) state.lastMovedAt = { lat: point.lat, lng: point.lng };
  const { time, lat, lng, precision, gsm_lbs } = point;
  state.last = { time, lat, lng, precision, gsm_lbs, speed: speedKmh };
  return events;
}

/** Rule events that time alone causes up to `until`: a stop becomes a parking, a parking lasts too long. */
export function evaluateTime(state: EvaluationState, until: number, context: EvaluationContext): readonly RuleEvent[] {
  const movements = context.trips ? detectOverdueStop(state, until, context.trips) : NO_MOVEMENTS;
  // Time alone matters only for a parked vehicle, or one that movement detection has just found parked.
  if (!state.parked) return NO_EVENTS;
  let events = NO_EVENTS;
  for (const rule of context.rules) {
    const ruleState = state.rules[rule.id];
    if (!ruleState || !TIMED_TYPES.has(rule.type)) continue;
    const ended = rule.type === "track_change" ? movements.map((one) => toMovementFiring(rule, one, "primary")) : [];
    const firings = [...ended, ...dueFirings(rule, ruleState, state, until)];
    if (firings.length > 0) events = [...events, ...admitFirings(rule, ruleState, firings, context)];
  }
  return events;
}

/** When time alone can cause the next event; null: never. */
export function nextDueTime(
  state: EvaluationState,
  { rules, trips }: Pick<EvaluationContext, "rules" | "trips">,
): number | null {
  const parking = trips && parkingDueTime(state, trips);
  const times = rules.flatMap((rule) => {
    const ruleState = state.rules[rule.id];
    const due = ruleState ? dueTimeOf(rule, ruleState, state) : null;
    return due === null ? [] : [due];
  });
  if (parking !== null) times.push(parking);
  return times.length === 0 ? null : Math.min(...times);
}

/** Firings of rules on the length of a parking or rest that are due by `until`. */
function dueFirings(rule: WatchedRule, ruleState: RuleState, state: EvaluationState, until: number): Firing[] {
  const due = dueTimeOf(rule, ruleState, state);
  if (due === null || due > until || !state.parked) return [];
  const isDriving = rule.type === "excessive_driving";
  ruleState.isConditionMet = !isDriving;
  if (isDriving) ruleState.since = null;
  const { lat, lng } = state.parked;
  const movement: Movement = { kind: "end", time: due, lat, lng, parkedSince: null };
  return [toMovementFiring(rule, movement, isDriving ? "secondary" : "primary")];
}

function dueTimeOf(rule: WatchedRule, ruleState: RuleState, { parked }: EvaluationState): number | null {
  if (!parked) return null;
  if (rule.type === "excessive_parking" && !ruleState.isConditionMet) {
    return parked.time + (numberIn(rule, "max_parking_duration") ?? 0) * MINUTE_MS;
  }
  if (rule.type === "excessive_driving" && ruleState.isConditionMet) {
    return parked.time + (numberIn(rule, "min_parking_time") ?? 0) * MINUTE_MS;
  }
  return null;
}

/** Sets the initial state of rules that are new or changed: conditions that hold already cause no event. */
function startNewRules(state: EvaluationState, point: Point, { rules, startTimeOf, zoneIndex }: EvaluationContext) {
  for (const rule of rules) {
    if (state.rules[rule.id]?.key === rule.key || point.time < startTimeOf(rule)) continue;
    const ruleState = initialRuleState(rule.key);
    const position = state.last ?? point;
    if (rule.type === "inoutzone" || rule.type === "route") ruleState.zones = presencesAt(rule, position, zoneIndex);
    if (rule.type === "excessive_driving" && state.isDriving) ruleState.since = position.time;
    state.rules[rule.id] = ruleState;
  }
}

/** Keeps firings within the rule's schedule and zones, and with the minimum time between two events of a rule. */
function admitFirings(
  rule: WatchedRule,
  ruleState: RuleState,
  firings: Firing[],
  { startTimeOf, zoneIndex }: EvaluationContext,
  withoutFix = false,
): RuleEvent[] {
  const { resetMs } = RULE_KINDS[rule.type];
  const isAboutZones = rule.type === "inoutzone" || rule.type === "route";
  const anywhere = isAboutZones || (withoutFix && TYPES_WITHOUT_POSITION.has(rule.type));
  const limited = anywhere ? { ...rule, isZoned: false } : rule;
  return firings.flatMap((firing) => {
    if (firing.time < startTimeOf(rule) || !isRuleActive(limited, firing, zoneIndex)) return [];
    const isTooSoon =
      ruleState.firedAt !== null &&
      firing.time !== ruleState.firedAt &&
      Math.abs(firing.time - ruleState.firedAt) < resetMs;
    if (isTooSoon) return [];
    ruleState.firedAt = firing.time;
    const limits = limitingZonesAt(limited, firing, zoneIndex).map(({ id, label }) => ({ id, label }));
    return [{ ...firing, rule_id: rule.id, zones: [...firing.zones, ...limits.sort((a, b) => a.id - b.id)] }];
  });
}

/** The effective speed. */
function speedKmhOf(last: SeenPoint | null, point: Point): number {
  return reportedSpeedKmh(point) ?? measureStep(last, point).speedKmh;
}

/** Remembers inputs, outputs and the driver's key until another point has new ones. */
function rememberValues(state: EvaluationState, { inputs, attributes }: Point, rules: WatchedRule[]) {
  if (inputs !== null) state.inputs = inputs;
  state.outputs = outputsOf(attributes, state.outputs);
  const key = rules.some(({ type }) => type === "driver_change")
    ? (attributes?.hardware_key ?? attributes?.driverUniqueId)
    : undefined;
  if (key !== undefined) state.attributes = { hardware_key: key };
}

const NO_EVENTS: readonly RuleEvent[] = [];
/** Types that fire by time alone. */
const TIMED_TYPES = new Set<RuleType>(["track_change", "excessive_driving", "excessive_parking"]);
/** Types that also fire at points of cell towers, whatever their zones. */
const TYPES_WITHOUT_POSITION = new Set(["sensor_range", "input_change", "driver_change"]);
