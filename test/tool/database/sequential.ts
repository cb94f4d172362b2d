/** When a request began and ended, as numbers that grow from one event to the next. */
export type Span = { begun: number; ended: number };

/** The length of the longest chain of requests of which each begins after the one before it has ended. */
export function sequential(spans: Span[]): number {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const { begun, ended } of spans.toSorted((one, other) => one.ended - other.ended)) {
    if (begun < last) continue;
    count++;
    last = ended;
  }
  return count;
}
