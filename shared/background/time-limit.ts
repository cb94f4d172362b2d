/**
 * Runs work with a signal that fires after `ms`, if the work still runs then. `AbortSignal.timeout` would leave its timer
 * behind, which keeps a Durable Object in memory that has nothing more to do.
 */
export async function withTimeLimit<T>(ms: number, run: (limit: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ms);
  try {
    return await run(limit.signal);
  } finally {
    clearTimeout(timer);
  }
}
