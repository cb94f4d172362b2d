import { metersBetween } from "#shared/geometry/distance.ts";
import { virtualValue } from "#shared/telemetry/sensor.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { isOn, numberIn, type WatchedRule } from "../../object/watched-rule.ts";
import type { Point } from "../../point/point.ts";
import type { RuleType } from "../../table/rule/rule.ts";
import type { Movement } from "./movement.ts";
import type { Firing, PointContext } from "./point-context.ts";
import { detectPassages } from "./presence.ts";
import { reportedEvents } from "./reported-events.ts";
import { RULE_KINDS } from "./rule-kinds.ts";
import { findGaugeFirings } from "./sensor-firings.ts";
import type { RuleState } from "./state.ts";
import { isRuleActive } from "./zone-limit.ts";

/** Firings of a rule at a point, before schedule and zones are checked. */
export function findFirings(rule: WatchedRule, ruleState: RuleState, pointContext: PointContext): Firing[] {
  const find = FINDERS[rule.type];
  if (find) return find(rule, ruleState, pointContext);
  return RULE_KINDS[rule.type].isReported ? findReportedFirings(rule, pointContext) : [];
}

/** A firing with the point's time and position. */
export function toFiring({ point }: Pick<PointContext, "point">, rule: WatchedRule, text: Firing["text"]): Firing {
  const { primary, secondary = primary } = RULE_KINDS[rule.type];
  const { time, lat, lng, precision } = point;
  return { event: text === "primary" ? primary : secondary, text, time, lat, lng, precision, zones: [] };
}

const FINDERS: Partial<
  Record<RuleType, (rule: WatchedRule, ruleState: RuleState, pointContext: PointContext) => Firing[]>
> = {
  inoutzone: findZoneFirings,
  route: findZoneFirings,
  track_change: findTrackFirings,
  speedup: findSpeedFirings,
  excessive_driving: findDrivingFirings,
  excessive_parking: findParkingFirings,
  idling_soft: findIdlingFirings,
  input_change: (rule, _, { state, before, point }) => findBitChange(rule, before.inputs, state.inputs, point),
  output_change: (rule, _, { state, before, point }) => findBitChange(rule, before.outputs, state.outputs, point),
  driver_change: findDriverFirings,
  state_field_control: findStateFirings,
  sensor_range: findGaugeFirings,
  fuel_level_leap: findGaugeFirings,
};

function findZoneFirings(rule: WatchedRule, ruleState: RuleState, pointContext: PointContext): Firing[] {
  const isRoute = rule.type === "route";
  const allPassages = detectPassages(rule, ruleState, pointContext);
  // Most points cross no border.
  if (allPassages.length === 0) return [];
  const passages = allPassages.filter(
    (passage) => !isRoute || (!passage.isEntry && !(isOn(rule, "allow_exit_at_endpoints") && isAtRouteEnd(passage))),
  );
  // Zones that are entered at the same time become one event.
  const firings = new Map<string, Firing>();
  for (const { isEntry, zone, time, lat, lng, precision } of passages) {
    const { primary, secondary = primary } = RULE_KINDS[rule.type];
    const isPrimary = isEntry || isRoute;
    const name = `${isPrimary} ${time}`;
    const text = isPrimary ? "primary" : "secondary";
    const empty: Firing = { event: isPrimary ? primary : secondary, text, time, lat, lng, precision, zones: [] };
    const firing = firings.get(name) ?? empty;
    firing.zones.push({ id: zone.id, label: zone.label });
    firings.set(name, firing);
  }
  for (const { zones } of firings.values()) zones.sort((a, b) => a.id - b.id);
  return [...firings.values()].sort((a, b) => a.time - b.time);
}

/** Whether the position is at the beginning or end of a route's line. */
function isAtRouteEnd({ zone, ...position }: ReturnType<typeof detectPassages>[number]) {
  const [first, last] = [zone.points?.[0], zone.points?.at(-1)];
  // The first fix outside of the width may still be at the end.
  const near = 2 * (zone.radius ?? 0);
  return [first, last].some((end) => end && metersBetween({ lng: end[0], lat: end[1] }, position) <= near);
}

function findTrackFirings(rule: WatchedRule, _: RuleState, { movements }: Pick<PointContext, "movements">): Firing[] {
  return movements.map((movement) =>
    toMovementFiring(rule, movement, movement.kind === "end" ? "primary" : "secondary"),
  );
}

export function toMovementFiring(rule: WatchedRule, { time, lat, lng }: Movement, text: Firing["text"]): Firing {
  const { primary, secondary = primary } = RULE_KINDS[rule.type];
  return { event: text === "primary" ? primary : secondary, text, time, lat, lng, precision: null, zones: [] };
}

/** Speeding starts when the speed exceeds the limit, or when a fast vehicle enters the rule's zones or schedule. */
function findSpeedFirings(rule: WatchedRule, ruleState: RuleState, pointContext: PointContext): Firing[] {
  const { point, speedKmh, zoneIndex } = pointContext;
  const holds = speedKmh > rule.param && isRuleActive(rule, point, zoneIndex);
  const began = holds && !ruleState.isConditionMet;
  ruleState.isConditionMet = holds;
  return began ? [{ ...toFiring(pointContext, rule, "primary"), value: `${Math.round(speedKmh)} km/h` }] : [];
}

/** `since`: start of the driving after the last rest; `isConditionMet`: the event was sent. */
function findDrivingFirings(rule: WatchedRule, ruleState: RuleState, pointContext: PointContext): Firing[] {
  const restMs = (numberIn(rule, "min_parking_time") ?? 0) * MINUTE_MS;
  for (const { kind, time, parkedSince } of pointContext.movements) {
    if (kind === "start" && (ruleState.since === null || parkedSince === null || time - parkedSince >= restMs))
      ruleState.since = time;
  }
  const maxDrivingMs = (numberIn(rule, "max_driving_time") ?? 0) * MINUTE_MS;
  const isLong =
    ruleState.since !== null &&
    pointContext.state.isDriving &&
    pointContext.point.time - ruleState.since >= maxDrivingMs;
  if (!isLong || ruleState.isConditionMet) return [];
  ruleState.isConditionMet = true;
  return [toFiring(pointContext, rule, "primary")];
}

function findParkingFirings(rule: WatchedRule, ruleState: RuleState, { movements }: PointContext): Firing[] {
  const start = movements.find(({ kind }) => kind === "start");
  if (!start || !ruleState.isConditionMet) return [];
  ruleState.isConditionMet = false;
  return [toMovementFiring(rule, start, "secondary")];
}

/** `since`: the vehicle stands with the ignition on; `isConditionMet`: the event was sent. */
function findIdlingFirings(rule: WatchedRule, ruleState: RuleState, pointContext: PointContext): Firing[] {
  const { state, point } = pointContext;
  const isIgnitionOn = state.inputs !== null && (state.inputs & IGNITION_BIT) !== 0;
  if (!isIgnitionOn || !state.parked) {
    const hasFired = ruleState.isConditionMet;
    ruleState.isConditionMet = false;
    ruleState.since = null;
    return hasFired ? [toFiring(pointContext, rule, "secondary")] : [];
  }
  // The ignition may have been on already when the vehicle stopped.
  const wasOn = pointContext.before.inputs !== null && (pointContext.before.inputs & IGNITION_BIT) !== 0;
  ruleState.since ??= wasOn ? state.parked.time : point.time;
  if (ruleState.isConditionMet || point.time - ruleState.since < rule.param * MINUTE_MS) return [];
  ruleState.isConditionMet = true;
  return [toFiring(pointContext, rule, "primary")];
}

function findBitChange(rule: WatchedRule, before: number | null, now: number | null, point: Point): Firing[] {
  if (before === null || now === null) return [];
  const bit = 2 ** (rule.param - 1);
  const [was, is] = [Math.floor(before / bit) % 2, Math.floor(now / bit) % 2];
  return was === is ? [] : [{ ...toFiring({ point }, rule, is === 1 ? "primary" : "secondary") }];
}

function findDriverFirings(rule: WatchedRule, ruleState: RuleState, pointContext: PointContext): Firing[] {
  const { attributes } = pointContext.point;
  const key = attributes?.hardware_key ?? attributes?.driverUniqueId;
  if (key === undefined) return [];
  const before = ruleState.lastValue ?? pointContext.before.attributes.hardware_key;
  ruleState.lastValue = String(key);
  return before === undefined || String(before) === ruleState.lastValue
    ? []
    : [toFiring(pointContext, rule, "primary")];
}

/** `since`: the last event with this value. */
function findStateFirings(rule: WatchedRule, ruleState: RuleState, pointContext: PointContext): Firing[] {
  const value = watchedValueOf(rule, pointContext.point.attributes);
  if (value === undefined || value === null) return [];
  const holds = String(value) === String(rule.extended.trigger_value);
  const began = holds && !ruleState.isConditionMet;
  ruleState.isConditionMet = holds;
  if (!holds) ruleState.since = null;
  const delayMs = (numberIn(rule, "repeat_delay_seconds") ?? 0) * 1000;
  const repeats =
    isOn(rule, "allow_repeat") && ruleState.since !== null && pointContext.point.time - ruleState.since >= delayMs;
  if (!began && !(holds && repeats)) return [];
  ruleState.since = pointContext.point.time;
  const firing = { ...toFiring(pointContext, rule, "primary"), value: String(value) };
  return [rule.gauge ? { ...firing, sensor_id: rule.gauge.sensor.id } : firing];
}

/** The watched value: a field of the point, or a virtual sensor's value from one. */
function watchedValueOf({ extended: { state_field }, gauge }: WatchedRule, attributes: Point["attributes"]) {
  if (typeof state_field === "string") return attributes?.[state_field];
  if (gauge?.sensor.type !== "virtual") return undefined;
  const raw = attributes?.[gauge.sensor.input_name];
  return raw === undefined ? undefined : virtualValue(raw, gauge.sensor.parameters);
}

function findReportedFirings(rule: WatchedRule, pointContext: PointContext): Firing[] {
  const { primary, secondary } = RULE_KINDS[rule.type];
  return reportedEvents(pointContext.point.attributes).flatMap((event) => {
    if (rule.type === "driver_assistance" && isAssistanceEnabled(rule, event))
      return [{ ...toFiring(pointContext, rule, "primary"), event }];
    if (rule.type === "autocontrol" && isAlarmEnabled(rule, event))
      return [{ ...toFiring(pointContext, rule, "primary"), event }];
    if (event === primary && ![...COMBINED_TYPES].some((type) => type === rule.type))
      return [toFiring(pointContext, rule, "primary")];
    return event === secondary ? [toFiring(pointContext, rule, "secondary")] : [];
  });
}

function isAssistanceEnabled(rule: WatchedRule, event: string) {
  const name = ASSISTANCE_MEMBERS[event];
  return name !== undefined && rule.extended[name] !== false;
}

function isAlarmEnabled(rule: WatchedRule, event: string) {
  const control = rule.extended[event];
  return typeof control === "object" && control !== null && "enabled" in control && control.enabled === true;
}

/** Types that combine several reported events. */
const COMBINED_TYPES = new Set<RuleType>(["driver_assistance", "autocontrol"]);
/** The member of `extended_params` that enables an event. */
const ASSISTANCE_MEMBERS: Record<string, string> = {
  lane_departure: "lane_departure_enabled",
  forward_collision_warning: "forward_collision_enabled",
  headway_warning: "headway_warning_enabled",
  peds_in_danger_zone: "peds_in_danger_zone_enabled",
  peds_collision_warning: "peds_collision_warning_enabled",
  tsr_warning: "traffic_sign_recognition_enabled",
};
/** The bit of input 1, the ignition. */
const IGNITION_BIT = 1;
