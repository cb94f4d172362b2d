import type { Device } from "#shared/contract/tracker/device.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { GeoEnv } from "../env.ts";
import type { Retranslation } from "../forwarding/retranslation.ts";
import type { PointMemory } from "../journal/point-memory.ts";
import type { StoredLine } from "../journal/shared-lines.ts";
import type { Facts } from "../point/facts.ts";
import type { PointBatch } from "../point/point-batch.ts";
import type { VisitWatch } from "../rule/visit/visit-watch.ts";
import type { RuleWatch } from "../rule/watch/rule-watch.ts";

type WriterDependencies = { memory: PointMemory; rules: RuleWatch; visits: VisitWatch; retranslation: Retranslation };
/** A request's points as the device sent them, those that the LBS filter kept, and the other facts. */
type TrackerRequest = { sent: PointBatch; accepted: PointBatch; facts: Facts | null };

/**
 * Stores small requests in the journal that many trackers share, if nothing else of them has to be stored in the same
 * transaction.
 */
export class SharedJournalWriter {
  #env: GeoEnv;
  #dependencies: WriterDependencies;
  #owner: () => Device;

  constructor(env: GeoEnv, parts: WriterDependencies, owner: () => Device) {
    this.#env = env;
    this.#dependencies = parts;
    this.#owner = owner;
  }

  /**
   * Null if the request has to go into the tracker's own journal. In both cases the tracker's copy of rules is current
   * afterwards.
   */
  async append(request: TrackerRequest): Promise<StoredLine | null> {
    const { memory, rules } = this.#dependencies;
    const bytes = this.#shareableBytes(request);
    const put = bytes && (await memory.shared.append(this.#owner(), nowMs(this.#env), request.facts, bytes));
    await rules.trackerRules.refresh(put?.stamp);
    return put;
  }

  /** The request's points in raw form; null if they may not go into the shared journal. */
  #shareableBytes({ sent, accepted, facts }: TrackerRequest): Uint8Array | null {
    const { memory, rules, visits, retranslation } = this.#dependencies;
    const { bytes, count } = sent;
    // The tracker's first open point is stored together with the plan of its flush, in the feed's own journal.
    if (memory.isEmpty || !bytes || !memory.shared.accepts(bytes)) return null;
    if (!rules.isIdle || !visits.isIdle || retranslation.hasTargets) return null;
    if (count === 0) return facts && bytes;
    // The shared journal stores a request unchanged: batches with duplicates or points of the future may not go there.
    return memory.due(memory.withoutStored(accepted), nowMs(this.#env)).count === count ? bytes : null;
  }
}
