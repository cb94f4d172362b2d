/** A user that is removed; a master has the id of its account. */
export type RemovedUser = { id: number; account_id: number };

/** What is kept of accounts. */
export interface AccountRecords {
  /** All that is here of removed accounts, so nobody's rights are asked. Told twice, it changes nothing. */
  removeAccounts(account_ids: number[]): Promise<void>;
}
