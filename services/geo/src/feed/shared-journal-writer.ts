import type { Device } from "#shared/contract/device.ts";
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
/** Of a request: its points as they were sent, and those that are taken. */
type TrackerRequest = { sent: PointBatch; accepted: PointBatch; facts: Facts | null };

/** Which requests stand in the journal that trackers share: small ones with which nothing else has to be stored in one go. */
export class SharedJournalWriter {
  #env: GeoEnv;
  #dependencies: WriterDependencies;
  #owner: () => Device;

  constructor(env: GeoEnv, parts: WriterDependencies, owner: () => Device) {
    this.#env = env;
    this.#dependencies = parts;
    this.#owner = owner;
  }

  /** Null: it has to stand in the tracker's own. Either way the copy of the rules is by then what they are. */
  async append(request: TrackerRequest): Promise<StoredLine | null> {
    const { memory, rules } = this.#dependencies;
    const bytes = this.#shareableBytes(request);
    const put = bytes && (await memory.shared.append(this.#owner(), nowMs(this.#env), request.facts, bytes));
    await rules.copy.refresh(put?.stamp);
    return put;
  }

  /** Its points in their raw form; null where it cannot stand there. */
  #shareableBytes({ sent, accepted, facts }: TrackerRequest): Uint8Array | null {
    const { memory, rules, visits, retranslation } = this.#dependencies;
    const { bytes, count } = sent;
    // The first that is open is stored with the plan of a flush.
    if (memory.isEmpty || !bytes || !memory.shared.accepts(bytes)) return null;
    if (!rules.isIdle || !visits.isIdle || retranslation.hasTargets) return null;
    if (count === 0) return facts && bytes;
    // As they were sent they stand there.
    return memory.due(memory.withoutStored(accepted), nowMs(this.#env)).count === count ? bytes : null;
  }
}
