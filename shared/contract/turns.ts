/** The turns of accounts, for calls that no hash assigns to one: the gateway knows their account only from its service. */
export interface TurnsOfAccounts {
  /** Waits for a turn of the account; null if none came in time. It is held until it is disposed of. */
  acquireFor(account_id: number): Promise<Disposable | null>;
}
