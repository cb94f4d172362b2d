import type { Point } from "../point/point.ts";
import { PointBatch } from "../point/point-batch.ts";

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
  kept(sent: PointBatch): PointBatch {
    if (sent.isPlain) return sent;
    const isTaken = ({ gsm_lbs, precision }: Point) => !gsm_lbs || (precision ?? 0) <= this.#radius;
    return sent.points.every(isTaken) ? sent : PointBatch.of(sent.points.filter(isTaken));
  }
}

/** Meters. */
const COARSEST = 10_000;
