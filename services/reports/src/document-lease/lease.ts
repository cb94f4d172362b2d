import type { Named } from "#shared/contract/service.ts";

/** The claim of a call to make a document; an account has one at a time. `endsAt` is in milliseconds. */
export type DocumentLease = { id: string; endsAt: number };

/** The object that grants leases of an account; its name is the account's id. */
export interface DocumentLeases {
  /** Null while another call holds the lease. */
  acquire(): Promise<DocumentLease | null>;
  release(lease: DocumentLease): Promise<void>;
}

/** A new lease; undefined while the current one lasts. A lease ends by itself, in case its Worker was stopped. */
export function grantLease(current: DocumentLease | undefined, id: string, nowMs: number): DocumentLease | undefined {
  if (current && nowMs < current.endsAt) return undefined;
  return { id, endsAt: nowMs + MAX_LEASE_MS };
}

/** Does the work under the account's lease. Null without doing it while another document is being made. */
export async function runWithLease<Result>(
  leases: Named<DocumentLeases>,
  account_id: number,
  work: () => Promise<Result>,
) {
  const ofAccount = leases.getByName(String(account_id));
  const lease = await ofAccount.acquire();
  if (!lease) return null;
  try {
    return await work();
  } finally {
    await ofAccount.release(lease);
  }
}

/** Equals the longest time that the Worker's limits allow. */
const MAX_LEASE_MS = 30_000;
