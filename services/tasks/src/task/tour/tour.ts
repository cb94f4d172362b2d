import { metersBetween } from "#shared/geometry/distance.ts";
import type { Position } from "#shared/geometry/position.ts";
import { type DistanceBetween, findShortestOrder, MAX_EXACT_VISITS, type MustPrecede, START } from "./shortest.ts";

/** A position and the time in which it is to be visited, in UTC milliseconds. */
export type Visit = { location: Position; from: number; to: number };
export type Tour = { order: number[]; meters: number };

/**
 * A short order of the visits by straight lines: a visit that must end before another begins comes first. Few visits
 * are solved exactly; many start with the nearest-next order, which is then improved step by step.
 */
export function findShortTour(start: Position, visits: Visit[]): Tour {
  const positions = [start, ...visits.map(({ location }) => location)];
  const distances = positions.map((one) => positions.map((other) => metersBetween(one, other)));
  // Position 0 is the start, so the position of a visit is at its index + 1.
  const between = (one: number, other: number) => distances[one + 1]?.[other + 1] ?? 0;
  const isBefore = (one: number, other: number) => (visits[one]?.to ?? 0) < (visits[other]?.from ?? 0);
  const metersOf = (order: number[]) =>
    order.reduce((sum, visit, index) => sum + between(order[index - 1] ?? START, visit), 0);
  const isAllowed = (order: number[]) =>
    order.every((visit, index) => !order.slice(index + 1).some((later) => isBefore(later, visit)));
  if (visits.length <= MAX_EXACT_VISITS) {
    const order = findShortestOrder(visits.length, between, isBefore);
    return { order, meters: metersOf(order) };
  }

  let best = orderByNearest(visits.length, between, isBefore);
  let meters = metersOf(best);
  for (let round = 0, improved = true; improved && round < MAX_ROUNDS; round++) {
    improved = false;
    for (const order of generateNeighbours(best)) {
      const length = metersOf(order);
      if (length >= meters - MIN_IMPROVEMENT_METERS || !isAllowed(order)) continue;
      [best, meters, improved] = [order, length, true];
    }
  }
  return { order: best, meters };
}

/** Visits, each time, the nearest of those that may come next. */
function orderByNearest(count: number, between: DistanceBetween, isBefore: MustPrecede): number[] {
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

/** All orders with a segment reversed, or a short segment moved elsewhere. */
function* generateNeighbours(order: number[]) {
  for (let begin = 0; begin < order.length; begin++) {
    for (let end = begin + 1; end <= order.length; end++) {
      const [head, segment, tail] = [order.slice(0, begin), order.slice(begin, end), order.slice(end)];
      if (segment.length > 1) yield [...head, ...segment.toReversed(), ...tail];
      if (segment.length > MAX_MOVED_VISITS) continue;
      const rest = [...head, ...tail];
      for (let index = 0; index <= rest.length; index++) {
        if (index !== begin) yield [...rest.slice(0, index), ...segment, ...rest.slice(index)];
      }
    }
  }
}

const MAX_MOVED_VISITS = 3;
/** Smaller gains are rounding: sums of the same distances differ by their order. */
const MIN_IMPROVEMENT_METERS = 0.001;
/** Many more than needed; each round tries about 7,000 orders. */
const MAX_ROUNDS = 50;
