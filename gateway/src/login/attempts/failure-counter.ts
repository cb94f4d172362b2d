/** Failures of one subject in the last 15 minutes, attempts under way, and the addresses from which one was right. */
export interface FailureCounter {
  countFailures(): Promise<number>;
  /** Adds a failure, of an address if one is given, and answers the number of failures before it. */
  addFailure(address?: string): Promise<number>;
  /**
   * Begins an attempt, which counts until it ends, so that attempts at once cannot exceed the limits; answers its key.
   * `limit` is for all failures of the subject, but not for attempts from an address that gave the right answer in the last 30
   * days. `limitOfAddress` is for failures from the address, always.
   */
  beginAttempt(limit: number, address?: string, limitOfAddress?: number): Promise<number | Refusal>;
  /** Ends an attempt. If it was wrong, it counts for 15 minutes; if it was right, its address is remembered for 30 days. */
  endAttempt(attempt: number, outcome: Outcome, address?: string): Promise<void>;
}

/** `limit`: the failures have reached the limit. `busy`: they have not, but attempts under way may. */
export type Refusal = "limit" | "busy";

/** `unknown`: the attempt ended before the password or code was compared. */
export type Outcome = "right" | "wrong" | "unknown";
