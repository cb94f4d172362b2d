import { DurableObject } from "cloudflare:workers";
import { systemNow } from "#shared/time/clock.ts";
import type { ReportsEnv } from "../env.ts";
import { type DocumentLease, type DocumentLeases, renewLease } from "./lease.ts";

/** One object per account: no two Workers make documents for it at once. */
export class DocumentLeaseHolder extends DurableObject<ReportsEnv> implements DocumentLeases {
  // In memory on purpose: where this object is lost, nobody waits for what it knew.
  #lease: DocumentLease | undefined;

  async acquire(): Promise<DocumentLease | null> {
    // By the runtime's clock: the one of the calls may be moved for tests.
    const lease = renewLease(this.#lease, crypto.randomUUID(), systemNow());
    if (!lease) return null;
    this.#lease = lease;
    return lease;
  }

  async release({ id }: DocumentLease): Promise<void> {
    if (this.#lease?.id === id) this.#lease = undefined;
  }
}
