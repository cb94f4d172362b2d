import { metersBetween } from "#shared/geometry/distance.ts";
import { virtualValue } from "#shared/telemetry/sensor.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { isOn, numberIn, type WatchedRule } from "../../object/watched-rule.ts";
import type { Point } from "../../point/point.ts";
import type { RuleType } from "../../table/rule/rule.ts";
import { gaugeFirings } from "./gauge-firing.ts";
import { KINDS } from "./kinds.ts";
import { acts } from "./limit.ts";
import type { Firing, Moment } from "./moment.ts";
import type { Movement } from "./movement.ts";
import { passagesOf } from "./presence.ts";
import { reportedBy } from "./reported.ts";
import type { RuleState } from "./state.ts";

/** What a rule finds at a point, before it is asked whether the rule acts then and there. */
export function firingsOf(rule: WatchedRule, known: RuleState, moment: Moment): Firing[] {
  const own = OWN[rule.type];
  if (own) return own(rule, known, moment);
  return KINDS[rule.type].reported ? reportedFirings(rule, moment) : [];
}

/** A firing where and when the point is. */
export function firingAt({ point }: Pick<Moment, "point">, rule: WatchedRule, text: Firing["text"]): Firing {
  const { primary, secondary = primary } = KINDS[rule.type];
  const { time, lat, lng, precision } = point;
  return { event: text === "primary" ? primary : secondary, text, time, lat, lng, precision, zones: [] };
}

const OWN: Partial<Record<RuleType, (rule: WatchedRule, known: RuleState, moment: Moment) => Firing[]>> = {
  inoutzone: zoneFirings,
  route: zoneFirings,
  track_change: trackFirings,
  speedup: speedFirings,
  excessive_driving: drivingFirings,
  excessive_parking: parkingFirings,
  idling_soft: idlingFirings,
  input_change: (rule, _, { state, before, point }) => flips(rule, before.inputs, state.inputs, point),
  output_change: (rule, _, { state, before, point }) => flips(rule, before.outputs, state.outputs, point),
  driver_change: driverFirings,
  state_field_control: stateFirings,
  sensor_range: gaugeFirings,
  fuel_level_leap: gaugeFirings,
};

function zoneFirings(rule: WatchedRule, known: RuleState, moment: Moment): Firing[] {
  const isRoute = rule.type === "route";
  const passed = passagesOf(rule, known, moment);
  // Most points pass no border.
  if (passed.length === 0) return [];
  const passages = passed.filter(
    (passage) => !isRoute || (!passage.enters && !(isOn(rule, "allow_exit_at_endpoints") && endsAt(passage))),
  );
  // Zones that are entered at one moment are one event.
  const firings = new Map<string, Firing>();
  for (const { enters, zone, time, lat, lng, precision } of passages) {
    const { primary, secondary = primary } = KINDS[rule.type];
    const isPrimary = enters || isRoute;
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

/** Whether a route is left where its line begins or ends. */
function endsAt({ lat, lng, zone }: ReturnType<typeof passagesOf>[number]) {
  const [first, last] = [zone.points?.[0], zone.points?.at(-1)];
  // One fix beyond the width is still at the end.
  const near = 2 * (zone.radius ?? 0);
  return [first, last].some((end) => end && metersBetween(end[0], end[1], lat, lng) <= near);
}

function trackFirings(rule: WatchedRule, _: RuleState, { movements }: Pick<Moment, "movements">): Firing[] {
  return movements.map((movement) => movementFiring(rule, movement, movement.is === "end" ? "primary" : "secondary"));
}

export function movementFiring(rule: WatchedRule, { time, lat, lng }: Movement, text: Firing["text"]): Firing {
  const { primary, secondary = primary } = KINDS[rule.type];
  return { event: text === "primary" ? primary : secondary, text, time, lat, lng, precision: null, zones: [] };
}

/** Where the rule does not act, no speed is too high: coming in too fast is told. */
function speedFirings(rule: WatchedRule, known: RuleState, moment: Moment): Firing[] {
  const { point, speed, surroundings } = moment;
  const holds = speed > rule.param && acts(rule, point, surroundings);
  const began = holds && !known.holds;
  known.holds = holds;
  return began ? [{ ...firingAt(moment, rule, "primary"), value: `${Math.round(speed)} km/h` }] : [];
}

/** `since`: the driving since the last rest; `holds`: it was told to be too long. */
function drivingFirings(rule: WatchedRule, known: RuleState, moment: Moment): Firing[] {
  const rest = (numberIn(rule, "min_parking_time") ?? 0) * MINUTE_MS;
  for (const { is, time, parked } of moment.movements) {
    if (is === "start" && (known.since === null || parked === null || time - parked >= rest)) known.since = time;
  }
  const longest = (numberIn(rule, "max_driving_time") ?? 0) * MINUTE_MS;
  const isLong = known.since !== null && moment.state.driving && moment.point.time - known.since >= longest;
  if (!isLong || known.holds) return [];
  known.holds = true;
  return [firingAt(moment, rule, "primary")];
}

function parkingFirings(rule: WatchedRule, known: RuleState, { movements }: Moment): Firing[] {
  const start = movements.find(({ is }) => is === "start");
  if (!start || !known.holds) return [];
  known.holds = false;
  return [movementFiring(rule, start, "secondary")];
}

/** `since`: it stands with the ignition on; `holds`: that was told. */
function idlingFirings(rule: WatchedRule, known: RuleState, moment: Moment): Firing[] {
  const { state, point } = moment;
  const ignition = state.inputs !== null && (state.inputs & IGNITION) !== 0;
  if (!ignition || !state.parked) {
    const told = known.holds;
    known.holds = false;
    known.since = null;
    return told ? [firingAt(moment, rule, "secondary")] : [];
  }
  // The ignition may have been on before the vehicle stood.
  const wasOn = moment.before.inputs !== null && (moment.before.inputs & IGNITION) !== 0;
  known.since ??= wasOn ? state.parked.time : point.time;
  if (known.holds || point.time - known.since < rule.param * MINUTE_MS) return [];
  known.holds = true;
  return [firingAt(moment, rule, "primary")];
}

function flips(rule: WatchedRule, before: number | null, now: number | null, point: Point): Firing[] {
  if (before === null || now === null) return [];
  const bit = 2 ** (rule.param - 1);
  const [was, is] = [Math.floor(before / bit) % 2, Math.floor(now / bit) % 2];
  return was === is ? [] : [{ ...firingAt({ point }, rule, is === 1 ? "primary" : "secondary") }];
}

function driverFirings(rule: WatchedRule, known: RuleState, moment: Moment): Firing[] {
  const { attributes } = moment.point;
  const key = attributes?.hardware_key ?? attributes?.driverUniqueId;
  if (key === undefined) return [];
  const before = known.value ?? moment.before.attributes.hardware_key;
  known.value = String(key);
  return before === undefined || String(before) === known.value ? [] : [firingAt(moment, rule, "primary")];
}

/** `since`: when the value was told last. */
function stateFirings(rule: WatchedRule, known: RuleState, moment: Moment): Firing[] {
  const value = watchedValue(rule, moment.point.attributes);
  if (value === undefined || value === null) return [];
  const holds = String(value) === String(rule.extended.trigger_value);
  const began = holds && !known.holds;
  known.holds = holds;
  if (!holds) known.since = null;
  const delay = (numberIn(rule, "repeat_delay_seconds") ?? 0) * 1000;
  const repeats = isOn(rule, "allow_repeat") && known.since !== null && moment.point.time - known.since >= delay;
  if (!began && !(holds && repeats)) return [];
  known.since = moment.point.time;
  const firing = { ...firingAt(moment, rule, "primary"), value: String(value) };
  return [rule.gauge ? { ...firing, sensor_id: rule.gauge.sensor.id } : firing];
}

/** Of what the point tells: a field, or what a virtual sensor makes of one. */
function watchedValue({ extended: { state_field }, gauge }: WatchedRule, attributes: Point["attributes"]) {
  if (typeof state_field === "string") return attributes?.[state_field];
  if (gauge?.sensor.type !== "virtual") return undefined;
  const raw = attributes?.[gauge.sensor.input_name];
  return raw === undefined ? undefined : virtualValue(raw, gauge.sensor.parameters);
}

function reportedFirings(rule: WatchedRule, moment: Moment): Firing[] {
  const { primary, secondary } = KINDS[rule.type];
  return reportedBy(moment.point.attributes).flatMap((event) => {
    if (rule.type === "driver_assistance" && assists(rule, event))
      return [{ ...firingAt(moment, rule, "primary"), event }];
    if (rule.type === "autocontrol" && controls(rule, event)) return [{ ...firingAt(moment, rule, "primary"), event }];
    if (event === primary && ![...BROAD].some((type) => type === rule.type)) return [firingAt(moment, rule, "primary")];
    return event === secondary ? [firingAt(moment, rule, "secondary")] : [];
  });
}

function assists(rule: WatchedRule, event: string) {
  const name = ASSISTANCE[event];
  return name !== undefined && rule.extended[name] !== false;
}

function controls(rule: WatchedRule, event: string) {
  const control = rule.extended[event];
  return typeof control === "object" && control !== null && "enabled" in control && control.enabled === true;
}

/** Types that take several events together. */
const BROAD = new Set<RuleType>(["driver_assistance", "autocontrol"]);
/** Which member of the rule turns an event on. */
const ASSISTANCE: Record<string, string> = {
  lane_departure: "lane_departure_enabled",
  forward_collision_warning: "forward_collision_enabled",
  headway_warning: "headway_warning_enabled",
  peds_in_danger_zone: "peds_in_danger_zone_enabled",
  peds_collision_warning: "peds_collision_warning_enabled",
  tsr_warning: "traffic_sign_recognition_enabled",
};
/** Input 1 is the ignition. */
const IGNITION = 1;
