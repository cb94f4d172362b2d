/** Waits for some milliseconds; rejects with the signal's reason when it aborts. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

export const pause: Pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });

/** Milliseconds before the given attempt, the first being 1: doubled each time, at most 30 s, and never the same for all. */
export function backoffMs(attempt: number): number {
  return Math.min(500 * 2 ** attempt, 30_000) * (0.5 + Math.random() / 2);
}
