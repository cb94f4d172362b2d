import type { System } from "../system/controls.ts";

/** An account with its master logged in, as a test needs to know it. */
export type Facts = { id: number; login: string; password: string; plan_id: number; hash: string };
/** Settings that all copies of an account share. */
export type Kind = { time_zone: string; locale: string };

/** The number of copies of each account that is made by calls. */
const COPIES = 24;

/**
 * Accounts that nobody has used yet. A copy costs a tenth of the two calls that make an account and log its master in,
 * and tests need a thousand accounts.
 */
export class SpareAccounts {
  #spare = new Map<string, Facts[]>();
  #made = new Map<string, Promise<unknown>>();

  #make: (kind: Kind) => Promise<Facts>;
  #copyUser: System["copyUser"];

  constructor(make: (kind: Kind) => Promise<Facts>, copyUser: System["copyUser"]) {
    this.#make = make;
    this.#copyUser = copyUser;
  }

  async take(kind: Kind): Promise<Facts> {
    const key = JSON.stringify(kind);
    for (;;) {
      const account = this.#spare.get(key)?.pop();
      if (account) return account;
      // Tests that ask at the same time wait for the same copies.
      const made = this.#made.get(key) ?? this.#makeMore(key, kind).finally(() => this.#made.delete(key));
      this.#made.set(key, made);
      await made;
    }
  }

  async #makeMore(key: string, kind: Kind) {
    const first = await this.#make(kind);
    const copies = await this.#copyUser(first.id, COPIES);
    this.#spare.set(key, [first, ...copies.map((copy) => ({ ...first, ...copy }))]);
  }
}
