/** The object of an account that lets calls wait for its events. */
export interface AccountStream {
  /** Wakes the waiting calls: events were stored. */
  announce(): Promise<void>;
  /** Answers once the account has events behind this sequence, at the latest after `seconds`. */
  waitForEvents(after: number, seconds: number): Promise<void>;
}
