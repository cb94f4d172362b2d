import type { Position } from "#shared/geometry/position.ts";
import type { NearZone, ZoneIndex } from "../../object/watched-rule.ts";
import type { Bounds } from "../../point/bounds.ts";
import { padBox } from "../../zone/grid/box.ts";
import {
  doBoxesOverlap,
  isInBox,
  STEPS_PER_BOX,
  STEPS_PER_SORTED_ZONE,
  squareOf,
  squaresOf,
} from "../../zone/squares.ts";
import { countZoneSteps } from "../../zone/zone-steps.ts";
import type { ZoneShapeRow } from "./zones-queries.ts";

/** The id of a rule that is tried out. */
export const TRIAL_RULE_ID = 1;

/** Finds the zones of one rule by the squares that they touch. */
export class RuleZoneIndex implements ZoneIndex {
  #zones: NearZone[];
  /** The box around all zones. */
  #reach: Bounds;
  #squares = new Map<number, NearZone[]>();
  /** Zones that touch too many squares to be listed by square. */
  #wideZones: NearZone[] = [];

  /** The result for the last square, which consecutive points share. */
  #lastSquare: { square: number; zones: NearZone[] } | undefined;

  constructor(rows: ZoneShapeRow[]) {
    this.#zones = rows.map((row) => ({ ...row, rules: [TRIAL_RULE_ID], reach: padBox(row, row.radius ?? 0) }));
    this.#reach = boxAround(this.#zones.map(({ reach }) => reach));
    for (const zone of this.#zones) {
      const squares = squaresOf(zone.reach);
      if (!squares) this.#wideZones.push(zone);
      for (const square of squares ?? []) this.#addToSquare(square, zone);
    }
  }

  zonesAt(position: Position): NearZone[] {
    if (!isInBox(this.#reach, position)) return NO_ZONES;
    const zones = this.#zonesIn(squareOf(position));
    countZoneSteps(STEPS_PER_BOX * zones.length);
    return zones.filter(({ reach }) => isInBox(reach, position));
  }

  zonesAlong(from: Position, to: Position): NearZone[] {
    const box = boxOfStep(from, to);
    if (!doBoxesOverlap(this.#reach, box)) return NO_ZONES;
    const squares = squaresOf(box);
    if (!squares) countZoneSteps(STEPS_PER_BOX * this.#zones.length);
    if (!squares) return this.#zones.filter(({ reach }) => doBoxesOverlap(reach, box));
    const zones = new Set<NearZone>();
    for (const square of squares) for (const zone of this.#squares.get(square) ?? NO_ZONES) zones.add(zone);
    for (const zone of this.#wideZones) zones.add(zone);
    countZoneSteps(STEPS_PER_SORTED_ZONE * zones.size);
    if (zones.size === 0) return NO_ZONES;
    return [...zones].filter(({ reach }) => doBoxesOverlap(reach, box)).sort((a, b) => a.id - b.id);
  }

  /** The zones of a square and all wide ones, by id. */
  #zonesIn(square: number): NearZone[] {
    if (this.#lastSquare?.square === square) return this.#lastSquare.zones;
    const own = this.#squares.get(square) ?? NO_ZONES;
    const zones = this.#wideZones.length === 0 ? own : [...this.#wideZones, ...own].sort((a, b) => a.id - b.id);
    countZoneSteps(STEPS_PER_SORTED_ZONE * zones.length);
    this.#lastSquare = { square, zones };
    return zones;
  }

  #addToSquare(square: number, zone: NearZone) {
    const known = this.#squares.get(square);
    if (known) known.push(zone);
    else this.#squares.set(square, [zone]);
  }
}

/** The box around all boxes; if one crosses the date line, it spans all longitudes. */
function boxAround(boxes: Bounds[]): Bounds {
  const around = { south: 90, west: 180, north: -90, east: -180 };
  for (const { south, west, north, east } of boxes) {
    around.south = Math.min(around.south, south);
    around.west = Math.min(around.west, west <= east ? west : -180);
    around.north = Math.max(around.north, north);
    around.east = Math.max(around.east, west <= east ? east : 180);
  }
  return around;
}

/** The box of a step, over the date line if that way is shorter. */
function boxOfStep(from: Position, to: Position): Bounds {
  const [south, north] = from.lat <= to.lat ? [from.lat, to.lat] : [to.lat, from.lat];
  const [least, greatest] = from.lng <= to.lng ? [from.lng, to.lng] : [to.lng, from.lng];
  return greatest - least > 180
    ? { south, west: greatest, north, east: least }
    : { south, west: least, north, east: greatest };
}

const NO_ZONES: NearZone[] = [];
