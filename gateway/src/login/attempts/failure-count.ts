/** Failed log-ins of the last quarter of an hour. There is one for each login and for each address. */
export interface FailureCount {
  count(): Promise<number>;
  /** One more; the answer is how many there were before it. */
  fail(): Promise<number>;
}
