/** Waits for all, however the others end: what the first of them threw that failed is thrown when all are over. */
export async function awaitAll(work: Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(work)) if (one.status === "rejected") throw one.reason;
}
