/** From the start, which is -1, or a visit to another. */
export type DistanceBetween = (one: number, other: number) => number;
export type MustPrecede = (one: number, other: number) => boolean;

/**
 * The shortest of all orders that keep what must come before what: the best way through each set of visits to each of its
 * last ones, from the smaller sets to the larger (Held and Karp). Twice as dear with each visit more: for `MOST_EXACT` at most.
 */
export function findShortestOrder(count: number, between: DistanceBetween, isBefore: MustPrecede): number[] {
  const visits = Array.from({ length: count }, (_, visit) => visit);
  const needed = visits.map((visit) => toBitSet(visits.filter((other) => isBefore(other, visit))));
  const all = 2 ** count - 1;
  // By set and last visit: how far it is, and which visit came before.
  const meters = new Float64Array((all + 1) * count).fill(Number.POSITIVE_INFINITY);
  const previous = new Int8Array((all + 1) * count).fill(START);
  for (let set = 0; set < all; set++) {
    for (const last of set === 0 ? [START] : visits) {
      const length = set === 0 ? 0 : (meters[set * count + last] ?? 0);
      if (length === Number.POSITIVE_INFINITY) continue;
      for (const next of visits) {
        const isOpen = (set & (1 << next)) === 0 && ((needed[next] ?? 0) & ~set) === 0;
        const index = (set | (1 << next)) * count + next;
        if (!isOpen || length + between(last, next) >= (meters[index] ?? 0)) continue;
        meters[index] = length + between(last, next);
        previous[index] = last;
      }
    }
  }
  const order: number[] = [];
  let last = visits.reduce((best, one) =>
    (meters[all * count + one] ?? 0) < (meters[all * count + best] ?? 0) ? one : best,
  );
  for (let set = all; set !== 0; ) {
    order.unshift(last);
    const before = previous[set * count + last] ?? START;
    set &= ~(1 << last);
    last = before;
  }
  return order;
}

function toBitSet(visits: number[]) {
  return visits.reduce((set, visit) => set | (1 << visit), 0);
}

/** In place of the visit before the first. */
export const START = -1;
/** A hundredth of a second. */
export const MAX_EXACT_VISITS = 12;
