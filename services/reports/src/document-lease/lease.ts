import type { Named } from "#shared/contract/service.ts";
import { systemNow } from "#shared/time/clock.ts";

/** The claim of a call to make a document; an account has a few at a time. */
export type DocumentLease = { id: string };

/** The object that grants leases of an account; its name is the account's id. */
export interface DocumentLeases {
  /** Waits until the account has a lease left, in order of arrival; null after `MAX_WAIT_MS`. */
  acquire(): Promise<DocumentLease | null>;
  release(lease: DocumentLease): Promise<void>;
}

/** The leases of an account. A lease ends by itself after `MAX_LEASE_MS`, in case its Worker was stopped. */
export class LeaseQueue implements DocumentLeases {
  /** Ends of leases by id. */
  #leases = new Map<string, number>();
  /** Calls that wait, in order of arrival. */
  #waiting: ((lease: DocumentLease | null) => void)[] = [];
  readonly #now: () => number;

  /** Uses the runtime's clock, because tests may move the clock of calls. */
  constructor(now: () => number = systemNow) {
    this.#now = now;
  }

  async acquire(): Promise<DocumentLease | null> {
    if (this.#waiting.length >= MAX_WAITING_CALLS) return null;
    const { promise, resolve } = Promise.withResolvers<DocumentLease | null>();
    this.#waiting.push(resolve);
    this.#grant();
    const check = setInterval(() => this.#grant(), CHECK_MS);
    const limit = setTimeout(() => {
      this.#waiting = this.#waiting.filter((waiting) => waiting !== resolve);
      resolve(null);
    }, MAX_WAIT_MS);
    try {
      return await promise;
    } finally {
      clearInterval(check);
      clearTimeout(limit);
    }
  }

  async release({ id }: DocumentLease): Promise<void> {
    this.#leases.delete(id);
    this.#grant();
  }

  #grant() {
    for (const [id, endsAt] of this.#leases) if (endsAt <= this.#now()) this.#leases.delete(id);
    while (this.#leases.size < MAX_LEASES) {
      const resolve = this.#waiting.shift();
      if (!resolve) return;
      const id = crypto.randomUUID();
      this.#leases.set(id, this.#now() + MAX_LEASE_MS);
      resolve({ id });
    }
  }
}

/** Does the work under a lease of the account. Null without doing it if none became free in time. */
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

/** Documents of an account that are made at a time. */
const MAX_LEASES = 2;
const MAX_WAITING_CALLS = 20;
const MAX_WAIT_MS = 10_000;
/** Between two looks for leases whose Worker was stopped. */
const CHECK_MS = 1_000;
/** Equals the longest time that the Worker's limits allow. */
const MAX_LEASE_MS = 30_000;
