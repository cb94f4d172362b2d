const MAX_PATHS = 2000;

/** Upper ends of the histogram's buckets, in seconds. */
const BUCKET_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type CallCount = { operation: string; code: number; count: number };
export type CallTimes = {
  operation: string;
  count: number;
  seconds: number;
  hops: number;
  /** Calls that took at most `seconds`: each bucket counts those of the smaller ones, too. */
  buckets: { seconds: number; count: number }[];
};

/**
 * Counts the calls that this isolate has answered since it started. Paths beyond `MAX_PATHS` are counted together: a
 * caller can send any number of paths below a known resource.
 */
export class CallCounts {
  #codes = new Map<string, Map<number, number>>();
  #times = new Map<string, { seconds: number; hops: number; buckets: number[] }>();

  /** `code`: the envelope's, 0 for success. `hops`: sequential calls to databases and Workers that the service waited for. */
  add(path: string, code: number, ms: number, hops: number) {
    const operation = this.#codes.has(path) || this.#codes.size < MAX_PATHS ? path : "unknown";
    const codes = this.#codes.get(operation) ?? new Map<number, number>();
    this.#codes.set(operation, codes.set(code, (codes.get(code) ?? 0) + 1));
    const times = this.#times.get(operation) ?? { seconds: 0, hops: 0, buckets: [...BUCKET_SECONDS, 0].fill(0) };
    const seconds = ms / 1000;
    const found = BUCKET_SECONDS.findIndex((end) => seconds <= end);
    const index = found < 0 ? BUCKET_SECONDS.length : found;
    times.buckets[index] = (times.buckets[index] ?? 0) + 1;
    times.seconds += seconds;
    times.hops += hops;
    this.#times.set(operation, times);
  }

  listCalls(): CallCount[] {
    return [...this.#codes].flatMap(([operation, codes]) =>
      [...codes].map(([code, count]) => ({ operation, code, count })),
    );
  }

  listTimes(): CallTimes[] {
    return [...this.#times].map(([operation, { seconds, hops, buckets: counts }]) => {
      let count = 0;
      const buckets = BUCKET_SECONDS.map((end, index) => {
        count += counts[index] ?? 0;
        return { seconds: end, count };
      });
      return { operation, seconds, hops, buckets, count: count + (counts.at(-1) ?? 0) };
    });
  }
}
