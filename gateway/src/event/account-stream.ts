/** The object of an account that lets calls wait for its events. */
export interface AccountStream {
  /** Wakes the waiting calls: events were stored. */
  announce(): Promise<void>;
  /** Reads the account's webhooks anew before the next announcement: they have changed. */
  refreshListeners(): Promise<void>;
  /** Answers once the account has events behind this sequence, at the latest after `seconds`. */
  waitForEvents(after: number, seconds: number): Promise<void>;
}
