/** Upper ends of the spans of time that calls are sorted into, in seconds. */
const SPANS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type CallCount = { operation: string; code: number; count: number };
export type CallTimes = {
  operation: string;
  count: number;
  seconds: number;
  hops: number;
  within: { span: number; count: number }[];
};

/** The calls that an isolate has answered since it was started, by operation. Operations and codes bound its size. */
export class CallCounts {
  #codes = new Map<string, Map<number, number>>();
  #times = new Map<string, { seconds: number; hops: number; spans: number[] }>();

  /** `code` is that of the envelope: 0 for success; `hops`: what its service waited for, one after the other. */
  note(operation: string, code: number, ms: number, hops: number) {
    const codes = this.#codes.get(operation) ?? new Map<number, number>();
    this.#codes.set(operation, codes.set(code, (codes.get(code) ?? 0) + 1));
    const times = this.#times.get(operation) ?? { seconds: 0, hops: 0, spans: [...SPANS, 0].fill(0) };
    const seconds = ms / 1000;
    const span = SPANS.findIndex((end) => seconds <= end);
    const place = span < 0 ? SPANS.length : span;
    times.spans[place] = (times.spans[place] ?? 0) + 1;
    times.seconds += seconds;
    times.hops += hops;
    this.#times.set(operation, times);
  }

  calls(): CallCount[] {
    return [...this.#codes].flatMap(([operation, codes]) =>
      [...codes].map(([code, count]) => ({ operation, code, count })),
    );
  }

  times(): CallTimes[] {
    return [...this.#times].map(([operation, { seconds, hops, spans }]) => {
      let count = 0;
      const within = SPANS.map((span, place) => {
        count += spans[place] ?? 0;
        return { span, count };
      });
      return { operation, seconds, hops, within, count: count + (spans.at(-1) ?? 0) };
    });
  }
}
