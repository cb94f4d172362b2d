/** Waits until all are over, then throws the error of the first one in the list that failed. */
export async function awaitAll(work: Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(work)) if (one.status === "rejected") throw one.reason;
}
