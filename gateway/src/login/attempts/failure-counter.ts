/** Failures of one subject in the last 15 minutes, and the addresses from which a login succeeded. */
export interface FailureCounter {
  countFailures(): Promise<number>;
  /** Adds a failure and answers the number before it. */
  addFailure(): Promise<number>;
  /** True if a log-in from the address succeeded in the last 30 days. */
  knowsAddress(address: string): Promise<boolean>;
  rememberAddress(address: string): Promise<void>;
}
