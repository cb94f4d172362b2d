import { metersBetween } from "#shared/geometry/distance.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { type NearZone, numberIn, type ZoneIndex, type WatchedRule } from "../../object/watched-rule.ts";
import { MAX_POSSIBLE_SPEED_KMH, metersOfStep } from "../../point/measured.ts";
import type { Point } from "../../point/point.ts";
import type { StoredPoint } from "../../table/zone/zone-outline.ts";
import { contains } from "../../zone/contains.ts";
import { crossingOf } from "../../zone/crossing.ts";
import { padded } from "../../zone/grid/box.ts";
import type { EvaluationState, Presence, RuleState } from "./state.ts";

/** A zone was entered, or left. */
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

/** Where a tracker is when its rule begins: what it is in already it does not enter. */
export function presencesAt(rule: WatchedRule, place: { lat: number; lng: number }, zoneIndex: ZoneIndex) {
  const inside = zonesOfRule(rule, zoneIndex.at(place)).filter((zone) => contains(zone, place));
  return Object.fromEntries(inside.map(({ id }): [number, Presence] => [id, { inside: true, pendingChange: null }]));
}

/** Moves the rule's zones on by the next point. */
export function detectPassages(rule: WatchedRule, ruleState: RuleState, context: PassageContext): Passage[] {
  const { state, point, zoneIndex } = context;
  const maxPrecision = numberIn(rule, "max_precision_meters");
  // A cell tower knows the town, not the street.
  if (point.gsm_lbs || (maxPrecision !== null && (point.precision ?? 0) > maxPrecision)) return [];
  const near = zoneIndex.at(point);
  const passages = detectCrossings(rule, ruleState, context);
  const before = Object.keys(ruleState.zones);
  // Most points are near none of the zones.
  if (near.length === 0 && before.length === 0) return passages;
  const unseen = before.length > 0 ? new Set(before.map(Number)) : NO_ZONES;
  const outside: NearZone[] = [];
  for (const zone of near) {
    if (!zone.rules.includes(rule.id)) continue;
    const isKnown = unseen.delete(zone.id);
    if (contains(zone, point)) updatePresence(rule, ruleState, zone, true, context, passages);
    else if (isKnown) outside.push(zone);
  }
  for (const id of unseen) outside.push(findLeftZone(id, state, rule, zoneIndex));
  for (const zone of outside) updatePresence(rule, ruleState, zone, false, context, passages);
  // What members were deleted of stays slow to look through, also when none is left.
  if (outside.length > 0 && Object.keys(ruleState.zones).length === 0) ruleState.zones = {};
  return passages;
}

function updatePresence(rule: WatchedRule, ruleState: RuleState, zone: NearZone, isIn: boolean, context: PassageContext, passages: Passage[]) {
  const before = ruleState.zones[zone.id];
  const presence = before ?? { inside: false, pendingChange: null };
  const passage = toPassage(rule, presence, zone, isIn, context);
  if (passage) passages.push(passage);
  if (!before) ruleState.zones[zone.id] = presence;
  if (!presence.inside && !presence.pendingChange) delete ruleState.zones[zone.id];
}

/** A zone that is not near any more stood around the point before. */
function findLeftZone(id: number, { last }: EvaluationState, rule: WatchedRule, zoneIndex: ZoneIndex): NearZone {
  const before = last ? zonesOfRule(rule, zoneIndex.at(last)) : [];
  const reach = { south: 0, west: 0, north: 0, east: 0 };
  const unknown: NearZone = {
    id,
    label: "",
    type: "circle",
    radius: 0,
    points: null,
    rules: [rule.id],
    reach,
    ...reach,
  };
  return before.find((zone) => zone.id === id) ?? unknown;
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

/** Whether it is certain enough that the tracker is on the other side of the border. */
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

/** Whether the point shows that the vehicle goes, and is not only context elsewhere: by its speed, or by how far it is. */
export function hasMoved({ lastMovedAt }: EvaluationState, { lat, lng, speed }: Point): boolean {
  if (speed !== null && speed >= MIN_MOVING_KMH && speed <= MAX_POSSIBLE_SPEED_KMH) return true;
  if (lastMovedAt === null || Math.abs(lat - lastMovedAt.lat) + Math.abs(lng - lastMovedAt.lng) < MAX_SCATTER_DEGREES) return false;
  return metersBetween(lastMovedAt.lat, lastMovedAt.lng, lat, lng) > MAX_SCATTER_METERS;
}

function isWithinMargin(rule: WatchedRule, zone: NearZone, point: Point) {
  const margin = numberIn(rule, "exit_margin_meters") ?? 0;
  if (margin === 0) return false;
  if (zone.type === "polygon") return isNearEdge(zone, point, margin);
  return contains({ ...zone, radius: (zone.radius ?? 0) + margin }, point);
}

/** A polygon's edge is a line with so much of width, and so is that of each of its holes. */
function isNearEdge(zone: NearZone, point: Point, margin: number) {
  const holes = (zone.holes ?? []).map((hole) => hole.map(([lat, lng]): StoredPoint => [lat, lng, 0]));
  return [zone.points ?? [], ...holes].some((ring) => {
    const line = [...ring, ...ring.slice(0, 1)];
    return contains({ ...zone, ...padded(zone, margin), type: "sausage", radius: margin, points: line }, point);
  });
}

/** Zones that lie between two fixes: entered on the way, and left before the second. */
function detectCrossings(
  rule: WatchedRule,
  ruleState: RuleState,
  { state: { last }, point, didMove, zoneIndex }: PassageContext,
): Passage[] {
  if (!last || last.gsm_lbs || !didMove || point.time - last.time > MAX_STRAIGHT_MS) return [];
  if (metersOfStep(last, point) < MIN_CROSSING_METERS) return [];
  const near = zoneIndex.along(last, point);
  if (near.length === 0) return [];
  const [south, north] = [Math.min(last.lat, point.lat), Math.max(last.lat, point.lat)];
  return zonesOfRule(rule, near).flatMap((zone) => {
    // Most lie beside the step: to see that is cheap.
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
/** From here on a reported speed is no noise. */
const MIN_MOVING_KMH = 5;
/** No further apart are the fixes of a vehicle that stands. */
const MAX_SCATTER_METERS = 500;
/** Within so many in both directions together, nothing is further. */
const MAX_SCATTER_DEGREES = MAX_SCATTER_METERS / 112_000;
/** A vehicle that stands is on the other side after so long, and so many fixes without one on this side. */
const MIN_CONFIRM_MS = 10 * MINUTE_MS;
const MIN_CONFIRM_POINTS = 20;
/** For so long a vehicle is taken to go straight on from one fix to the next. */
const MAX_STRAIGHT_MS = 5 * MINUTE_MS;
const MIN_CROSSING_METERS = 20;
