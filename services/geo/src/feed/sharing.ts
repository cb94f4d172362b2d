import type { Device } from "#shared/contract/device.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { GeoEnv } from "../env.ts";
import type { Retranslation } from "../forwarding/retranslation.ts";
import type { Facts } from "../point/facts.ts";
import type { Point } from "../point/point.ts";
import type { PointMemory } from "./point-memory.ts";
import type { RuleWatch } from "./rule-watch.ts";
import type { PutLine } from "./shared-lines.ts";
import type { VisitWatch } from "./visit-watch.ts";

type Parts = { memory: PointMemory; rules: RuleWatch; visits: VisitWatch; retranslation: Retranslation };
/** Of a request: its points in their raw form, as they were sent, and those that are taken. */
type TrackerRequest = { bytes: Uint8Array; sent: Point[]; points: Point[]; facts: Facts | null };

/** Which requests stand in the journal that trackers share: small ones with which nothing else has to be stored in one go. */
export class Sharing {
  #env: GeoEnv;
  #parts: Parts;
  #owner: () => Device;

  constructor(env: GeoEnv, parts: Parts, owner: () => Device) {
    this.#env = env;
    this.#parts = parts;
    this.#owner = owner;
  }

  /** Null: it has to stand in the tracker's own. Either way the copy of the rules is by then what they are. */
  async put(request: TrackerRequest): Promise<PutLine | null> {
    const { memory, rules } = this.#parts;
    const { bytes, facts } = request;
    const put = this.#isShareable(request)
      ? await memory.shared.put(this.#owner(), nowMs(this.#env), facts, bytes)
      : null;
    await rules.copy.refresh(put?.stamp);
    return put;
  }

  #isShareable({ bytes, sent, points, facts }: TrackerRequest): boolean {
    const { memory, rules, visits, retranslation } = this.#parts;
    // The first that is open is stored with the plan of a flush.
    if (memory.isEmpty || !memory.shared.takes(bytes)) return false;
    if (!rules.isIdle || !visits.isIdle || retranslation.isBound) return false;
    if (sent.length === 0) return facts !== null;
    // As they were sent they stand there.
    return memory.due(memory.freshOf(points), nowMs(this.#env)).length === sent.length;
  }
}
