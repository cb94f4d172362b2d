/** Failures of one subject in the last 15 minutes, attempts under way, and the addresses from which a login succeeded. */
export interface FailureCounter {
  countFailures(): Promise<number>;
  /** Adds a failure and answers the number before it. */
  addFailure(): Promise<number>;
  /**
   * Begins an attempt, which counts until it ends, so that attempts at once cannot exceed the limit; answers its key.
   * An address from which a log-in succeeded in the last 30 days is not limited.
   */
  beginAttempt(limit: number, address?: string): Promise<number | Refusal>;
  /** Ends an attempt; a failure counts for 15 minutes. */
  endAttempt(attempt: number, isFailure: boolean): Promise<void>;
  rememberAddress(address: string): Promise<void>;
}

/** `limit`: the failures have reached the limit. `busy`: they have not, but attempts under way may. */
export type Refusal = "limit" | "busy";
