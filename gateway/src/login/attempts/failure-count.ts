/** Failed log-ins of the last quarter of an hour. There is one for each login, for each address, and for both. */
export interface FailureCount {
  count(): Promise<number>;
  /** One more; the answer is how many there were before it. */
  fail(): Promise<number>;
  /** Whether a log-in from there succeeded in the last 30 days. */
  knows(address: string): Promise<boolean>;
  remember(address: string): Promise<void>;
}
