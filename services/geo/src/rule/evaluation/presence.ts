import { metersBetween } from "#shared/geometry/distance.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { type NearZone, numberIn, type Surroundings, type WatchedRule } from "../../object/watched-rule.ts";
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
  enters: boolean;
};

type Seen = {
  state: EvaluationState;
  point: Point;
  moved: boolean;
  surroundings: Surroundings;
};

/** Where a tracker is when its rule begins: what it is in already it does not enter. */
export function presentIn(rule: WatchedRule, place: { lat: number; lng: number }, surroundings: Surroundings) {
  const inside = namedBy(rule, surroundings.at(place)).filter((zone) => contains(zone, place));
  return Object.fromEntries(inside.map(({ id }): [number, Presence] => [id, { inside: true, otherwise: null }]));
}

/** Moves the rule's zones on by the next point. */
export function passagesOf(rule: WatchedRule, known: RuleState, seen: Seen): Passage[] {
  const { state, point, surroundings } = seen;
  const most = numberIn(rule, "max_precision_meters");
  // A cell tower knows the town, not the street.
  if (point.gsm_lbs || (most !== null && (point.precision ?? 0) > most)) return [];
  const near = surroundings.at(point);
  const passages = crossedOf(rule, known, seen);
  const before = Object.keys(known.zones);
  // Most points are near none of the zones.
  if (near.length === 0 && before.length === 0) return passages;
  const unseen = before.length > 0 ? new Set(before.map(Number)) : NO_ZONES;
  const outside: NearZone[] = [];
  for (const zone of near) {
    if (!zone.rules.includes(rule.id)) continue;
    const isKnown = unseen.delete(zone.id);
    if (contains(zone, point)) moveOn(rule, known, zone, true, seen, passages);
    else if (isKnown) outside.push(zone);
  }
  for (const id of unseen) outside.push(leftBehind(id, state, rule, surroundings));
  for (const zone of outside) moveOn(rule, known, zone, false, seen, passages);
  // What members were deleted of stays slow to look through, also when none is left.
  if (outside.length > 0 && Object.keys(known.zones).length === 0) known.zones = {};
  return passages;
}

function moveOn(rule: WatchedRule, known: RuleState, zone: NearZone, isIn: boolean, seen: Seen, passages: Passage[]) {
  const before = known.zones[zone.id];
  const presence = before ?? { inside: false, otherwise: null };
  const passage = passageOf(rule, presence, zone, isIn, seen);
  if (passage) passages.push(passage);
  if (!before) known.zones[zone.id] = presence;
  if (!presence.inside && !presence.otherwise) delete known.zones[zone.id];
}

/** A zone that is not near any more stood around the point before. */
function leftBehind(id: number, { last }: EvaluationState, rule: WatchedRule, surroundings: Surroundings): NearZone {
  const before = last ? namedBy(rule, surroundings.at(last)) : [];
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

function passageOf(
  rule: WatchedRule,
  presence: Presence,
  zone: NearZone,
  isIn: boolean,
  { point, moved }: Seen,
): Passage | null {
  const stays = isIn === presence.inside || (presence.inside && isWithinMargin(rule, zone, point));
  if (stays) {
    presence.otherwise = null;
    return null;
  }
  const { time, lat, lng, precision } = point;
  presence.otherwise ??= { time, lat, lng, precision, count: 0 };
  presence.otherwise.count++;
  if (!isSettled(rule, presence.otherwise, point, moved)) return null;
  const { count, ...first } = presence.otherwise;
  presence.inside = isIn;
  presence.otherwise = null;
  return { ...first, zone, enters: isIn };
}

/** Whether it is certain enough that the tracker is on the other side of the border. */
function isSettled(
  rule: WatchedRule,
  { time, count }: NonNullable<Presence["otherwise"]>,
  point: Point,
  moved: boolean,
): boolean {
  const lasted = point.time - time;
  const [points, seconds] = [numberIn(rule, "confirm_points"), numberIn(rule, "min_dwell_seconds")];
  if (points !== null || seconds !== null || numberIn(rule, "exit_margin_meters") !== null) {
    return count >= (points ?? 1) && lasted >= (seconds ?? 0) * 1000;
  }
  return moved || (count >= LASTING_POINTS && lasted >= LASTING_MS);
}

/** Whether the point shows that the vehicle goes, and is not only seen elsewhere: by its speed, or by how far it is. */
export function hasMoved({ stay }: EvaluationState, { lat, lng, speed }: Point): boolean {
  if (speed !== null && speed >= GOING_KMH && speed <= MAX_POSSIBLE_SPEED_KMH) return true;
  if (stay === null || Math.abs(lat - stay.lat) + Math.abs(lng - stay.lng) < SCATTER_DEGREES) return false;
  return metersBetween(stay.lat, stay.lng, lat, lng) > SCATTER_METERS;
}

function isWithinMargin(rule: WatchedRule, zone: NearZone, point: Point) {
  const margin = numberIn(rule, "exit_margin_meters") ?? 0;
  if (margin === 0) return false;
  if (zone.type === "polygon") return edgeIsNear(zone, point, margin);
  return contains({ ...zone, radius: (zone.radius ?? 0) + margin }, point);
}

/** A polygon's edge is a line with so much of width, and so is that of each of its holes. */
function edgeIsNear(zone: NearZone, point: Point, margin: number) {
  const holes = (zone.holes ?? []).map((hole) => hole.map(([lat, lng]): StoredPoint => [lat, lng, 0]));
  return [zone.points ?? [], ...holes].some((ring) => {
    const line = [...ring, ...ring.slice(0, 1)];
    return contains({ ...zone, ...padded(zone, margin), type: "sausage", radius: margin, points: line }, point);
  });
}

/** Zones that lie between two fixes: entered on the way, and left before the second. */
function crossedOf(
  rule: WatchedRule,
  known: RuleState,
  { state: { last }, point, moved, surroundings }: Seen,
): Passage[] {
  if (!last || last.gsm_lbs || !moved || point.time - last.time > STRAIGHT_MS) return [];
  if (metersOfStep(last, point) < SHORT_METERS) return [];
  const near = surroundings.along(last, point);
  if (near.length === 0) return [];
  const [south, north] = [Math.min(last.lat, point.lat), Math.max(last.lat, point.lat)];
  return namedBy(rule, near).flatMap((zone) => {
    // Most lie beside the step: to see that is cheap.
    if (zone.reach.north < south || zone.reach.south > north) return [];
    if (known.zones[zone.id] || contains(zone, point) || contains(zone, last)) return [];
    const crossing = crossingOf(zone, last, point);
    if (!crossing) return [];
    const { lat, lng, share } = crossing;
    const time = Math.round(last.time + share * (point.time - last.time));
    const left = { time: point.time, lat: point.lat, lng: point.lng, precision: point.precision };
    return [
      { time, lat: rounded(lat), lng: rounded(lng), precision: null, zone, enters: true },
      { ...left, zone, enters: false },
    ];
  });
}

export function namedBy({ id }: WatchedRule, zones: NearZone[]) {
  return zones.filter(({ rules }) => rules.includes(id));
}

function rounded(degrees: number) {
  return Math.round(degrees * 1e6) / 1e6;
}

const NO_ZONES = new Set<number>();
/** From here on a reported speed is no noise. */
const GOING_KMH = 5;
/** No further apart are the fixes of a vehicle that stands. */
const SCATTER_METERS = 500;
/** Within so many in both directions together, nothing is further. */
const SCATTER_DEGREES = SCATTER_METERS / 112_000;
/** A vehicle that stands is on the other side after so long, and so many fixes without one on this side. */
const LASTING_MS = 10 * MINUTE_MS;
const LASTING_POINTS = 20;
/** For so long a vehicle is taken to go straight on from one fix to the next. */
const STRAIGHT_MS = 5 * MINUTE_MS;
const SHORT_METERS = 20;
