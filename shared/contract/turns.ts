/** The turns of accounts, for calls that no hash assigns to one: the gateway knows their account only from its service. */
export interface TurnsOfAccounts {
  acquireFor(account_id: number, id: string): Promise<boolean>;
  releaseFor(account_id: number, id: string): Promise<void>;
}
