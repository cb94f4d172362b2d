import { metersBetween } from "#shared/geometry/distance.ts";
import { type Between, type IsBefore, MOST_EXACT, START, shortestOrder } from "./shortest.ts";

type Place = { lat: number; lng: number };
/** A place with the time within which it is to be visited, in UTC milliseconds. */
export type Visit = { location: Place; from: number; to: number };
export type Tour = { order: number[]; meters: number };

/**
 * The visits in an order that is short as the crow flies: one whose time ends before another's begins comes first, the others
 * stand as it is shorter. Few visits are in the shortest order of all. Of many it begins with the nearest next one, and keeps
 * what then makes it shorter, so it is never longer.
 */
export function shortTour(start: Place, visits: Visit[]): Tour {
  const places = [start, ...visits.map(({ location }) => location)];
  const distances = places.map((one) => places.map((other) => metersBetween(one.lat, one.lng, other.lat, other.lng)));
  // Place 0 is the start: the visit of an index is the place behind it.
  const between = (one: number, other: number) => distances[one + 1]?.[other + 1] ?? 0;
  const isBefore = (one: number, other: number) => (visits[one]?.to ?? 0) < (visits[other]?.from ?? 0);
  const metersOf = (order: number[]) =>
    order.reduce((sum, visit, index) => sum + between(order[index - 1] ?? START, visit), 0);
  const mayBe = (order: number[]) =>
    order.every((visit, index) => !order.slice(index + 1).some((later) => isBefore(later, visit)));
  if (visits.length <= MOST_EXACT) {
    const order = shortestOrder(visits.length, between, isBefore);
    return { order, meters: metersOf(order) };
  }

  let best = nearestFirst(visits.length, between, isBefore);
  let meters = metersOf(best);
  for (let round = 0, improved = true; improved && round < MOST_ROUNDS; round++) {
    improved = false;
    for (const order of neighbours(best)) {
      const length = metersOf(order);
      if (length >= meters - LEAST_METERS || !mayBe(order)) continue;
      [best, meters, improved] = [order, length, true];
    }
  }
  return { order: best, meters };
}

/** Each time the nearest of those that may come next. */
function nearestFirst(count: number, between: Between, isBefore: IsBefore): number[] {
  const order: number[] = [];
  const left = new Set(Array.from({ length: count }, (_, visit) => visit));
  while (left.size > 0) {
    const last = order.at(-1) ?? START;
    const next = [...left]
      .filter((visit) => ![...left].some((other) => isBefore(other, visit)))
      .reduce((nearest, visit) => (between(last, visit) < between(last, nearest) ? visit : nearest));
    order.push(next);
    left.delete(next);
  }
  return order;
}

/** A part of it turned around, or put elsewhere. */
function* neighbours(order: number[]) {
  for (let begin = 0; begin < order.length; begin++) {
    for (let end = begin + 1; end <= order.length; end++) {
      const [head, part, tail] = [order.slice(0, begin), order.slice(begin, end), order.slice(end)];
      if (part.length > 1) yield [...head, ...part.toReversed(), ...tail];
      if (part.length > LONGEST_MOVED) continue;
      const rest = [...head, ...tail];
      for (let place = 0; place <= rest.length; place++) {
        if (place !== begin) yield [...rest.slice(0, place), ...part, ...rest.slice(place)];
      }
    }
  }
}

const LONGEST_MOVED = 3;
/** Less is no improvement: sums of the same distances differ by their order. */
const LEAST_METERS = 0.001;
/** Many more than it takes; each looks at some 7,000 orders. */
const MOST_ROUNDS = 50;
