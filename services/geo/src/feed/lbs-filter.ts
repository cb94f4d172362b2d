import type { Point } from "../point/point.ts";
import { PointBatch } from "../point/point-batch.ts";

/** Fixes by cell towers that are too coarse are not taken. */
export class LbsFilter {
  #kv: SyncKvStorage;
  #maxRadius: number;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.#maxRadius = kv.get<number>("lbs_radius") ?? DEFAULT_RADIUS_METERS;
  }

  get maxRadius() {
    return this.#maxRadius;
  }

  set(radius: number) {
    this.#kv.put("lbs_radius", radius);
    this.#maxRadius = radius;
  }

  /** One that does not say how precise it is, is taken. */
  filter(sent: PointBatch): PointBatch {
    if (sent.isPlain) return sent;
    const isTaken = ({ gsm_lbs, precision }: Point) => !gsm_lbs || (precision ?? 0) <= this.#maxRadius;
    return sent.points.every(isTaken) ? sent : PointBatch.of(sent.points.filter(isTaken));
  }
}

/** Meters. */
const DEFAULT_RADIUS_METERS = 10_000;
