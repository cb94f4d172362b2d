/** Meters from a visit, or from the start (-1), to another visit. */
export type DistanceBetween = (one: number, other: number) => number;
export type MustPrecede = (one: number, other: number) => boolean;

/**
 * The shortest order that keeps all precedences (Held and Karp): the best way through each set of visits to each last
 * visit, from smaller to larger sets. Time doubles with each visit: for at most `MAX_EXACT_VISITS`.
 */
export function findShortestOrder(count: number, between: DistanceBetween, isBefore: MustPrecede): number[] {
  const visits = Array.from({ length: count }, (_, visit) => visit);
  const needed = visits.map((visit) => toBitSet(visits.filter((other) => isBefore(other, visit))));
  const all = 2 ** count - 1;
  // By set and last visit: the length of the best way, and the visit before the last one.
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

/** Stands for the start, before the first visit. */
export const START = -1;
/** Takes a hundredth of a second. */
export const MAX_EXACT_VISITS = 12;
