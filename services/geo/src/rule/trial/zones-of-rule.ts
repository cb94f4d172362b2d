import type { NearZone, ZoneIndex } from "../../object/watched-rule.ts";
import type { Bounds } from "../../point/bounds.ts";
import { padded } from "../../zone/grid/box.ts";
import { isInBox, overlap, squareOf, squaresOf } from "../../zone/squares.ts";
import type { FigureRow } from "./zones-queries.ts";

type Place = { lat: number; lng: number };

/** The rule that is tried out has this id. */
export const TRIED = 1;

/** The zones of one rule, by the squares that they touch. */
export class ZonesOfRule implements ZoneIndex {
  #zones: NearZone[];
  /** The box of all of them. */
  #reach: Bounds;
  #squares = new Map<number, NearZone[]>();
  /** Those that touch too many squares. */
  #wide: NearZone[] = [];

  constructor(rows: FigureRow[]) {
    this.#zones = rows.map((row) => ({ ...row, rules: [TRIED], reach: padded(row, row.radius ?? 0) }));
    this.#reach = boxAround(this.#zones.map(({ reach }) => reach));
    for (const zone of this.#zones) {
      const squares = squaresOf(zone.reach);
      if (!squares) this.#wide.push(zone);
      for (const square of squares ?? []) this.#put(square, zone);
    }
  }

  at(place: Place): NearZone[] {
    if (!isInBox(this.#reach, place)) return NONE;
    const here = this.#squares.get(squareOf(place));
    if (this.#wide.length === 0) return here?.filter(({ reach }) => isInBox(reach, place)) ?? NONE;
    return [...this.#wide, ...(here ?? [])].filter(({ reach }) => isInBox(reach, place)).sort((a, b) => a.id - b.id);
  }

  along(from: Place, to: Place): NearZone[] {
    const box = boxOfStep(from, to);
    if (!overlap(this.#reach, box)) return NONE;
    const squares = squaresOf(box);
    if (!squares) return this.#zones.filter(({ reach }) => overlap(reach, box));
    const found = new Set<NearZone>();
    for (const square of squares) for (const zone of this.#squares.get(square) ?? NONE) found.add(zone);
    for (const zone of this.#wide) found.add(zone);
    if (found.size === 0) return NONE;
    return [...found].filter(({ reach }) => overlap(reach, box)).sort((a, b) => a.id - b.id);
  }

  #put(square: number, zone: NearZone) {
    const known = this.#squares.get(square);
    if (known) known.push(zone);
    else this.#squares.set(square, [zone]);
  }
}

/** Around all of them; where one lies over the date line, around the earth. */
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

/** Over the date line where that is shorter. */
function boxOfStep(from: Place, to: Place): Bounds {
  const [south, north] = from.lat <= to.lat ? [from.lat, to.lat] : [to.lat, from.lat];
  const [least, greatest] = from.lng <= to.lng ? [from.lng, to.lng] : [to.lng, from.lng];
  return greatest - least > 180
    ? { south, west: greatest, north, east: least }
    : { south, west: least, north, east: greatest };
}

const NONE: NearZone[] = [];
