import { DurableObject } from "cloudflare:workers";
import { systemNow } from "#shared/time/clock.ts";
import type { ReportsEnv } from "../env.ts";
import { type DocumentLease, type DocumentLeases, grantLease } from "./lease.ts";

/** One object per account, so that no two Workers make a document for it at once. */
export class DocumentLeaseHolder extends DurableObject<ReportsEnv> implements DocumentLeases {
  // Kept in memory only: if the object restarts, the lease is free again.
  #lease: DocumentLease | undefined;

  async acquire(): Promise<DocumentLease | null> {
    // Uses the runtime's clock, because tests may move the clock of calls.
    const lease = grantLease(this.#lease, crypto.randomUUID(), systemNow());
    if (!lease) return null;
    this.#lease = lease;
    return lease;
  }

  async release({ id }: DocumentLease): Promise<void> {
    if (this.#lease?.id === id) this.#lease = undefined;
  }
}
