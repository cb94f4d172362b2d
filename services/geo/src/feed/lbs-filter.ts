import type { Point } from "../point/point.ts";

/** Fixes by cell towers that are too coarse are not taken. */
export class LbsFilter {
  #kv: SyncKvStorage;
  #radius: number;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.#radius = kv.get<number>("lbs_radius") ?? COARSEST;
  }

  get radius() {
    return this.#radius;
  }

  set(radius: number) {
    this.#kv.put("lbs_radius", radius);
    this.#radius = radius;
  }

  /** One that does not say how precise it is, is taken. */
  kept(points: Point[]): Point[] {
    const isTaken = ({ gsm_lbs, precision }: Point) => !gsm_lbs || (precision ?? 0) <= this.#radius;
    return points.every(isTaken) ? points : points.filter(isTaken);
  }
}

/** Meters. */
const COARSEST = 10_000;
