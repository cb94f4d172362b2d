import { DurableObject } from "cloudflare:workers";
import type { ReportsEnv } from "../env.ts";
import { type DocumentLease, type DocumentLeases, LeaseQueue } from "./lease.ts";

/** One object per account, so that all Workers together make few documents for it at a time. */
export class DocumentLeaseHolder extends DurableObject<ReportsEnv> implements DocumentLeases {
  // Kept in memory only: if the object restarts, all leases are free again.
  #queue = new LeaseQueue();

  acquire(): Promise<DocumentLease | null> {
    return this.#queue.acquire();
  }

  release(lease: DocumentLease): Promise<void> {
    return this.#queue.release(lease);
  }
}
