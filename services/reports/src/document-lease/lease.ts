import type { Named } from "#shared/contract/service.ts";

/** The right to have a document made, which one at a time of an account has. */
export type DocumentLease = { id: string; endsAt: number };

/** There is one for each account, named by its id. */
export interface DocumentLeases {
  /** Null while another has it. */
  acquire(): Promise<DocumentLease | null>;
  release(lease: DocumentLease): Promise<void>;
}

/** Undefined where another's still lasts. One that nobody ends, because its Worker died, ends by itself. */
export function renewLease(current: DocumentLease | undefined, id: string, nowMs: number): DocumentLease | undefined {
  if (current && nowMs < current.endsAt) return undefined;
  return { id, endsAt: nowMs + MAX_LEASE_MS };
}

/** Null where another document of the account is being made: then nothing is done. */
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

/** As long as the Worker may take in any case. */
const MAX_LEASE_MS = 30_000;
