import { metersBetween } from "#shared/geometry/distance.ts";
import type { Position } from "#shared/geometry/position.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { type NearZone, numberIn, type WatchedRule, type ZoneIndex } from "../../object/watched-rule.ts";
import { MAX_POSSIBLE_SPEED_KMH, metersOfStep } from "../../point/measured.ts";
import type { Point } from "../../point/point.ts";
import { contains, isNearEdge } from "../../zone/contains.ts";
import { crossingOf } from "../../zone/crossing.ts";
import { countZoneSteps } from "../../zone/zone-steps.ts";
import type { EvaluationState, Presence, RuleState } from "./state.ts";

/** An entry into a zone or an exit from it. */
export type Passage = {
  time: number;
  lat: number;
  lng: number;
  precision: number | null;
  zone: NearZone;
  isEntry: boolean;
};

type PassageContext = {
  state: EvaluationState;
  point: Point;
  didMove: boolean;
  zoneIndex: ZoneIndex;
};

/** The zones that contain a tracker when its rule starts: these are not entered again. */
export function presencesAt(rule: WatchedRule, position: Position, zoneIndex: ZoneIndex) {
  const inside = zonesOfRule(rule, zoneIndex.zonesAt(position)).filter((zone) => contains(zone, position));
  return Object.fromEntries(inside.map(({ id }): [number, Presence] => [id, { inside: true, pendingChange: null }]));
}

/** Updates the rule's zones with the next point and answers entries and exits. */
export function detectPassages(rule: WatchedRule, ruleState: RuleState, context: PassageContext): Passage[] {
  const { state, point, zoneIndex } = context;
  const maxPrecision = numberIn(rule, "max_precision_meters");
  // Positions of cell towers are too imprecise for zones.
  if (point.gsm_lbs || (maxPrecision !== null && (point.precision ?? 0) > maxPrecision)) return [];
  const near = zoneIndex.zonesAt(point);
  const passages = detectCrossings(rule, ruleState, context);
  const before = Object.keys(ruleState.zones);
  // Most points are near no zone.
  if (near.length === 0 && before.length === 0) return passages;
  const leftZones = before.length > 0 ? new Set(before.map(Number)) : NO_ZONES;
  countZoneSteps(STEPS_PER_PRESENCE * before.length);
  const outside: NearZone[] = [];
  for (const zone of near) {
    if (!zone.rules.includes(rule.id)) continue;
    const isKnown = leftZones.delete(zone.id);
    if (contains(zone, point)) updatePresence(rule, ruleState, zone, true, context, passages);
    else if (isKnown) outside.push(zone);
  }
  if (leftZones.size > 0) outside.push(...findLeftZones(leftZones, state, rule, zoneIndex));
  for (const zone of outside) updatePresence(rule, ruleState, zone, false, context, passages);
  // V8 keeps an object with deleted members slow, even when it is empty: a new one is fast.
  if (outside.length > 0 && Object.keys(ruleState.zones).length === 0) ruleState.zones = {};
  return passages;
}

function updatePresence(
  rule: WatchedRule,
  ruleState: RuleState,
  zone: NearZone,
  isIn: boolean,
  context: PassageContext,
  passages: Passage[],
) {
  const before = ruleState.zones[zone.id];
  const presence = before ?? { inside: false, pendingChange: null };
  const passage = toPassage(rule, presence, zone, isIn, context);
  if (passage) passages.push(passage);
  if (!before) ruleState.zones[zone.id] = presence;
  if (!presence.inside && !presence.pendingChange) delete ruleState.zones[zone.id];
}

/** Zones that are no longer near the point, found around the previous point. */
function findLeftZones(
  ids: Set<number>,
  { last }: EvaluationState,
  rule: WatchedRule,
  zoneIndex: ZoneIndex,
): NearZone[] {
  const before = last ? zonesOfRule(rule, zoneIndex.zonesAt(last)) : [];
  const zones = new Map(before.map((zone) => [zone.id, zone]));
  return [...ids].map((id) => zones.get(id) ?? unknownZone(id, rule));
}

function unknownZone(id: number, rule: WatchedRule): NearZone {
  const reach = { south: 0, west: 0, north: 0, east: 0 };
  return { id, label: "", type: "circle", radius: 0, points: null, rules: [rule.id], reach, ...reach };
}

function toPassage(
  rule: WatchedRule,
  presence: Presence,
  zone: NearZone,
  isIn: boolean,
  { point, didMove }: PassageContext,
): Passage | null {
  const stays = isIn === presence.inside || (presence.inside && isWithinMargin(rule, zone, point));
  if (stays) {
    presence.pendingChange = null;
    return null;
  }
  const { time, lat, lng, precision } = point;
  presence.pendingChange ??= { time, lat, lng, precision, count: 0 };
  presence.pendingChange.count++;
  if (!isConfirmed(rule, presence.pendingChange, point, didMove)) return null;
  const { count, ...first } = presence.pendingChange;
  presence.inside = isIn;
  presence.pendingChange = null;
  return { ...first, zone, isEntry: isIn };
}

/** Whether there is enough evidence that the tracker is on the other side of the border. */
function isConfirmed(
  rule: WatchedRule,
  { time, count }: NonNullable<Presence["pendingChange"]>,
  point: Point,
  didMove: boolean,
): boolean {
  const lasted = point.time - time;
  const [points, seconds] = [numberIn(rule, "confirm_points"), numberIn(rule, "min_dwell_seconds")];
  if (points !== null || seconds !== null || numberIn(rule, "exit_margin_meters") !== null) {
    return count >= (points ?? 1) && lasted >= (seconds ?? 0) * 1000;
  }
  return didMove || (count >= MIN_CONFIRM_POINTS && lasted >= MIN_CONFIRM_MS);
}

/** Whether the point shows a moving vehicle, by its speed or its distance, and not only a scattered fix. */
export function hasMoved({ lastMovedAt }: EvaluationState, point: Point): boolean {
  const { lat, lng, speed } = point;
  if (speed !== null && speed >= MIN_MOVING_KMH && speed <= MAX_POSSIBLE_SPEED_KMH) return true;
  if (lastMovedAt === null || Math.abs(lat - lastMovedAt.lat) + Math.abs(lng - lastMovedAt.lng) < MAX_SCATTER_DEGREES)
    return false;
  return metersBetween(lastMovedAt, point) > MAX_SCATTER_METERS;
}

function isWithinMargin(rule: WatchedRule, zone: NearZone, point: Point) {
  const margin = numberIn(rule, "exit_margin_meters") ?? 0;
  if (margin === 0) return false;
  if (zone.type === "polygon") return isNearEdge(zone, point, margin);
  return contains({ ...zone, radius: (zone.radius ?? 0) + margin }, point);
}

/** Zones that the vehicle crossed between two fixes: an entry on the way, and an exit before the second fix. */
function detectCrossings(
  rule: WatchedRule,
  ruleState: RuleState,
  { state: { last }, point, didMove, zoneIndex }: PassageContext,
): Passage[] {
  if (!last || last.gsm_lbs || !didMove || point.time - last.time > MAX_STRAIGHT_MS) return [];
  if (metersOfStep(last, point) < MIN_CROSSING_METERS) return [];
  const near = zoneIndex.zonesAlong(last, point);
  if (near.length === 0) return [];
  const [south, north] = [Math.min(last.lat, point.lat), Math.max(last.lat, point.lat)];
  return zonesOfRule(rule, near).flatMap((zone) => {
    // Most zones are beside the step: comparing latitudes excludes them cheaply.
    if (zone.reach.north < south || zone.reach.south > north) return [];
    if (ruleState.zones[zone.id] || contains(zone, point) || contains(zone, last)) return [];
    const crossing = crossingOf(zone, last, point);
    if (!crossing) return [];
    const { lat, lng, share } = crossing;
    const time = Math.round(last.time + share * (point.time - last.time));
    const left = { time: point.time, lat: point.lat, lng: point.lng, precision: point.precision };
    return [
      { time, lat: roundDegrees(lat), lng: roundDegrees(lng), precision: null, zone, isEntry: true },
      { ...left, zone, isEntry: false },
    ];
  });
}

export function zonesOfRule({ id }: WatchedRule, zones: NearZone[]) {
  return zones.filter(({ rules }) => rules.includes(id));
}

function roundDegrees(degrees: number) {
  return Math.round(degrees * 1e6) / 1e6;
}

const NO_ZONES = new Set<number>();
/** Looking after a zone that contains the tracker takes as long as comparing so many edges. */
const STEPS_PER_PRESENCE = 10;
/** Lower reported speeds are noise. */
const MIN_MOVING_KMH = 5;
/** Fixes of a parked vehicle scatter no further than this. */
const MAX_SCATTER_METERS = 500;
/** Positions closer than this, in degrees of both directions together, are within `MAX_SCATTER_METERS`. */
const MAX_SCATTER_DEGREES = MAX_SCATTER_METERS / 112_000;
/** A parked vehicle changes sides after this time and number of fixes, if none of them was on the old side. */
const MIN_CONFIRM_MS = 10 * MINUTE_MS;
const MIN_CONFIRM_POINTS = 20;
/** A vehicle is assumed to drive straight between two fixes up to this time apart. */
const MAX_STRAIGHT_MS = 5 * MINUTE_MS;
const MIN_CROSSING_METERS = 20;
