/** Failed log-ins of the last quarter of an hour. There is one for each login, for each address, and for both. */
export interface FailureCounter {
  countFailures(): Promise<number>;
  /** One more; the answer is how many there were before it. */
  addFailure(): Promise<number>;
  /** Whether a log-in from there succeeded in the last 30 days. */
  knowsAddress(address: string): Promise<boolean>;
  rememberAddress(address: string): Promise<void>;
}
