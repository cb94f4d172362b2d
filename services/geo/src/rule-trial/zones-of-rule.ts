import { isInBox, overlap } from "../evaluation/squares.ts";
import type { NearZone, Surroundings } from "../evaluation/watched-rule.ts";
import { boxOf, padded } from "../grid/box.ts";
import type { FigureRow } from "./zones-queries.ts";

type Place = { lat: number; lng: number };

/** The rule that is tried out has this id. */
export const TRIED = 1;

/** The few zones of one rule. */
export class ZonesOfRule implements Surroundings {
  #zones: NearZone[];

  constructor(rows: FigureRow[]) {
    this.#zones = rows.map((row) => ({ ...row, rules: [TRIED], reach: padded(row, row.radius ?? 0) }));
  }

  at(place: Place): NearZone[] {
    return this.#zones.filter(({ reach }) => isInBox(reach, place));
  }

  along(from: Place, to: Place): NearZone[] {
    const box = boxOf([from, to]);
    return this.#zones.filter(({ reach }) => overlap(reach, box));
  }
}
