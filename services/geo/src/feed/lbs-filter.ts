import type { Point } from "../point/point.ts";
import { PointBatch } from "../point/point-batch.ts";

/** Drops fixes by cell towers (LBS) whose error is larger than the tracker's limit, in meters. */
export class LbsFilter {
  #kv: SyncKvStorage;
  #maxRadiusMeters: number;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.#maxRadiusMeters = kv.get<number>("lbs_radius") ?? DEFAULT_RADIUS_METERS;
  }

  get maxRadiusMeters() {
    return this.#maxRadiusMeters;
  }

  set(radiusMeters: number) {
    this.#kv.put("lbs_radius", radiusMeters);
    this.#maxRadiusMeters = radiusMeters;
  }

  /** Keeps a fix without a stated precision. */
  filter(sent: PointBatch): PointBatch {
    if (sent.isPlain) return sent;
    const isTaken = ({ gsm_lbs, precision }: Point) => !gsm_lbs || (precision ?? 0) <= this.#maxRadiusMeters;
    return sent.points.every(isTaken) ? sent : PointBatch.of(sent.points.filter(isTaken));
  }
}

const DEFAULT_RADIUS_METERS = 10_000;
