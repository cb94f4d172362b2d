/** A removed user. The id of a master is also the id of its account. */
export type RemovedUser = { id: number; account_id: number };

/** Records of accounts in a service. */
export interface AccountRecords {
  /** Removes all records of removed accounts. Checks no rights, and is idempotent. */
  removeAccounts(account_ids: number[]): Promise<void>;
}
