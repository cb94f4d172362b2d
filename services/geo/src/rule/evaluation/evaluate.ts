import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TripRules } from "../../object/trip.ts";
import { numberIn, type RuleEvent, type Surroundings, type WatchedRule } from "../../object/watched-rule.ts";
import { measureStep, reportedSpeed } from "../../point/measured.ts";
import type { Point } from "../../point/point.ts";
import type { RuleType } from "../../table/rule/rule.ts";
import { firingsOf, movementFiring } from "./firing.ts";
import { KINDS } from "./kinds.ts";
import { acts, limitsAround } from "./limit.ts";
import type { Firing } from "./moment.ts";
import { type Movement, movementsAt, movementsBy, NO_MOVEMENTS, parkingDue } from "./movement.ts";
import { outputsOf } from "./output.ts";
import { hasMoved, presentIn } from "./presence.ts";
import { type EvaluationState, type RuleState, ruleStart, type SeenPoint } from "./state.ts";

/** What points are followed by. */
export type Following = {
  rules: WatchedRule[];
  /** From when on the rule counts: points before it only say how things were. */
  since(rule: WatchedRule): number;
  surroundings: Surroundings;
  /** Null: the rules are not about trips and stops, which then are not looked for. */
  trips: TripRules | null;
};

/** Moves `state` on by the next point in time order, and answers what the rules find. */
export function follow(state: EvaluationState, point: Point, following: Following): readonly RuleEvent[] {
  let findings = wait(state, point.time - 1, following);
  begin(state, point, following);
  const moved = hasMoved(state, point);
  const { trips, surroundings } = following;
  // How long each step was, only trips ask.
  const step = trips && measureStep(state.last, point);
  const speed = step ? step.speed : speedAt(state.last, point);
  const movements = trips && step ? movementsAt(state, point, step, trips) : NO_MOVEMENTS;
  const { inputs, outputs, attributes } = state;
  learn(state, point, following.rules);
  const before = { inputs, outputs, attributes };
  const moment = { state, point, speed, moved, movements, before, surroundings };
  for (const rule of following.rules) {
    const known = state.rules[rule.id];
    if (!known) continue;
    const firings = firingsOf(rule, known, moment);
    // Most points are nothing to a rule.
    if (firings.length > 0) findings = [...findings, ...admitted(rule, known, firings, following, point.gsm_lbs)];
  }
  if (moved || !state.stay) state.stay = { lat: point.lat, lng: point.lng };
  const { time, lat, lng, precision, gsm_lbs } = point;
  state.last = { time, lat, lng, precision, gsm_lbs, speed };
  return findings;
}

/** What the rules find by time alone, up to `until`: that a stop is a parking, that a parking lasts too long. */
export function wait(state: EvaluationState, until: number, following: Following): readonly RuleEvent[] {
  const movements = following.trips ? movementsBy(state, until, following.trips) : NO_MOVEMENTS;
  // Time alone shows something of a vehicle that stands, or of one that has just been seen to.
  if (!state.parked) return NOTHING;
  let findings = NOTHING;
  for (const rule of following.rules) {
    const known = state.rules[rule.id];
    if (!known || !TIMED.has(rule.type)) continue;
    const ended = rule.type === "track_change" ? movements.map((one) => movementFiring(rule, one, "primary")) : [];
    const firings = [...ended, ...lasting(rule, known, state, until)];
    if (firings.length > 0) findings = [...findings, ...admitted(rule, known, firings, following)];
  }
  return findings;
}

/** When time alone will show something next, if no point comes; null: never. */
export function nextWait(state: EvaluationState, { rules, trips }: Pick<Following, "rules" | "trips">): number | null {
  const parking = trips && parkingDue(state, trips);
  const times = rules.flatMap((rule) => {
    const known = state.rules[rule.id];
    const due = known ? lastingDue(rule, known, state) : null;
    return due === null ? [] : [due];
  });
  if (parking !== null) times.push(parking);
  return times.length === 0 ? null : Math.min(...times);
}

/** What lasts too long, or long enough, by `until`. */
function lasting(rule: WatchedRule, known: RuleState, state: EvaluationState, until: number): Firing[] {
  const due = lastingDue(rule, known, state);
  if (due === null || due > until || !state.parked) return [];
  const isDriving = rule.type === "excessive_driving";
  known.holds = !isDriving;
  if (isDriving) known.since = null;
  const { lat, lng } = state.parked;
  const movement: Movement = { is: "end", time: due, lat, lng, parked: null };
  return [movementFiring(rule, movement, isDriving ? "secondary" : "primary")];
}

function lastingDue(rule: WatchedRule, known: RuleState, { parked }: EvaluationState): number | null {
  if (!parked) return null;
  if (rule.type === "excessive_parking" && !known.holds) {
    return parked.time + (numberIn(rule, "max_parking_duration") ?? 0) * MINUTE_MS;
  }
  if (rule.type === "excessive_driving" && known.holds) {
    return parked.time + (numberIn(rule, "min_parking_time") ?? 0) * MINUTE_MS;
  }
  return null;
}

/** Rules that are new here start from the point before: what is so already they do not tell. */
function begin(state: EvaluationState, point: Point, { rules, since, surroundings }: Following) {
  for (const rule of rules) {
    if (state.rules[rule.id]?.key === rule.key || point.time < since(rule)) continue;
    const known = ruleStart(rule.key);
    const place = state.last ?? point;
    if (rule.type === "inoutzone" || rule.type === "route") known.zones = presentIn(rule, place, surroundings);
    if (rule.type === "excessive_driving" && state.driving) known.since = place.time;
    state.rules[rule.id] = known;
  }
}

/** Those that happen where and when the rule acts, and not too soon after the last. */
function admitted(
  rule: WatchedRule,
  known: RuleState,
  firings: Firing[],
  { since, surroundings }: Following,
  withoutFix = false,
): RuleEvent[] {
  const { resetMs } = KINDS[rule.type];
  const isAboutZones = rule.type === "inoutzone" || rule.type === "route";
  const anywhere = isAboutZones || (withoutFix && UNPLACED.has(rule.type));
  const limited = anywhere ? { ...rule, isZoned: false } : rule;
  return firings.flatMap((firing) => {
    if (firing.time < since(rule) || !acts(limited, firing, surroundings)) return [];
    const soon = known.fired !== null && firing.time !== known.fired && Math.abs(firing.time - known.fired) < resetMs;
    if (soon) return [];
    known.fired = firing.time;
    const limits = limitsAround(limited, firing, surroundings).map(({ id, label }) => ({ id, label }));
    return [{ ...firing, rule_id: rule.id, zones: [...firing.zones, ...limits.sort((a, b) => a.id - b.id)] }];
  });
}

/** The effective one in km/h. */
function speedAt(last: SeenPoint | null, point: Point): number {
  return reportedSpeed(point) ?? measureStep(last, point).speed;
}

/** What the point tells stands until another one tells otherwise. */
function learn(state: EvaluationState, { inputs, attributes }: Point, rules: WatchedRule[]) {
  if (inputs !== null) state.inputs = inputs;
  state.outputs = outputsOf(attributes, state.outputs);
  const key = rules.some(({ type }) => type === "driver_change")
    ? (attributes?.hardware_key ?? attributes?.driverUniqueId)
    : undefined;
  if (key !== undefined) state.attributes = { hardware_key: key };
}

const NOTHING: readonly RuleEvent[] = [];
/** Types that time alone may fire. */
const TIMED = new Set<RuleType>(["track_change", "excessive_driving", "excessive_parking"]);
/** Types whose events need no place. */
const UNPLACED = new Set(["sensor_range", "input_change", "driver_change"]);
