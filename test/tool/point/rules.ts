import { DEFAULT_TRIP_SETTINGS } from "../../../services/geo/src/object/trip.ts";
import type { NearZone, WatchedRule } from "../../../services/geo/src/object/watched-rule.ts";
import { type Point, UNMEASURED } from "../../../services/geo/src/point/point.ts";
import {
  type EvaluationContext,
  evaluatePoint,
  evaluateTime,
} from "../../../services/geo/src/rule/evaluation/evaluate.ts";
import { initialState } from "../../../services/geo/src/rule/evaluation/state.ts";
import { boxOf, padBox } from "../../../services/geo/src/zone/grid/box.ts";
import { squaresAlong, squaresOf, ZonesBySquare } from "../../../services/geo/src/zone/squares.ts";

export const BEGIN = Date.UTC(2026, 6, 6, 8);

export function circle(lat: number, lng: number, radius: number, id = 77): NearZone {
  const box = boxOf([{ lat, lng }]);
  return {
    id,
    label: `Zone ${id}`,
    type: "circle",
    radius,
    points: null,
    rules: [1],
    ...box,
    reach: padBox(box, radius),
  };
}

export function figure(type: "polygon" | "sausage", points: [number, number][], radius = 0, id = 77): NearZone {
  const box = boxOf(points.map(([lng, lat]) => ({ lat, lng })));
  const stored = points.map(([lng, lat]): [number, number, 0] => [lng, lat, 0]);
  return { id, label: `Zone ${id}`, type, radius, points: stored, rules: [1], ...box, reach: padBox(box, radius) };
}

/** A polygon of spikes that all reach the same distance in degrees from its middle. */
export function star(lng: number, lat: number, degrees: number, corners: number, id = 77): NearZone {
  const points = Array.from({ length: corners }, (_, index): [number, number] => {
    const [angle, distance] = [(index / corners) * 2 * Math.PI, (index % 2 === 0 ? 1 : 0.3) * degrees];
    return [lng + distance * Math.cos(angle), lat + distance * Math.sin(angle)];
  });
  return figure("polygon", points, 0, id);
}

export function ruleOf(given: Partial<WatchedRule> & Pick<WatchedRule, "type">): WatchedRule {
  const plain = {
    id: 1,
    param: 0,
    extended: {},
    isZoned: false,
    schedule: [],
    time_zone: "UTC",
    gauge: null,
    key: "k",
  };
  return { ...plain, ...given };
}

/** A point this many seconds after the beginning, at a position. */
export function pointAt(seconds: number, lat: number, lng: number, given: Partial<Point> = {}): Point {
  return { ...UNMEASURED, time: BEGIN + seconds * 1000, lat, lng, ...given };
}

/** Evaluates rules over points in order and then at `until`, in seconds; answers all of their findings. */
export function evaluateRules(rules: WatchedRule[], points: Point[], zones: NearZone[] = [], until?: number) {
  const zoneIndex = new ZonesBySquare();
  for (const [index, point] of points.entries()) {
    const squares = squaresAlong(points[index - 1] ?? point, point);
    zoneIndex.put(
      squares.map((square) => [square, zones.filter((zone) => isOn(zone, square)).map(({ id }) => id)]),
      zones,
    );
  }
  const trips = { ...DEFAULT_TRIP_SETTINGS, gapMs: 1_800_000 };
  const context: EvaluationContext = { rules, startTimeOf: () => Number.NEGATIVE_INFINITY, zoneIndex, trips };
  const state = initialState();
  const findings = points.flatMap((point) => evaluatePoint(state, point, context));
  return until === undefined ? findings : [...findings, ...evaluateTime(state, BEGIN + until * 1000, context)];
}

/** The events among findings, with the seconds at which they happen. */
export function eventTimes(findings: ReturnType<typeof evaluateRules>) {
  return findings.map(({ event, time }) => [event, (time - BEGIN) / 1000]);
}

function isOn(zone: NearZone, square: number) {
  const squares = squaresOf(zone.reach);
  return squares === null || squares.includes(square);
}
