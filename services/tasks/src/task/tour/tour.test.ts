import { expect, test } from "vitest";
import { metersBetween } from "../../../../../shared/geometry/distance.ts";
import { findShortTour, type Visit } from "./tour.ts";

const start = { lat: 0, lng: 0 };
const anytime = { from: 0, to: 100 };
const at = (lng: number, lat = 0, time = anytime): Visit => ({ location: { lat, lng }, ...time });

/** Reproducible pseudo-random numbers from 0 to 1. */
function* numbers(seed: number) {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

function metersOf(visits: Visit[], order: number[]) {
  let [meters, here] = [0, start];
  for (const index of order) {
    const { location } = visits[index] ?? at(0);
    meters += metersBetween(here, location);
    here = location;
  }
  return meters;
}

test("findShortTour makes visits at any time in the shortest order", () => {
  expect(findShortTour(start, [at(3), at(1), at(2)]).order).toEqual([1, 2, 0]);
  // Visiting the nearest next would go back and forth: 1, -1.1, 4.
  const { order, meters } = findShortTour(start, [at(1), at(-1.1), at(4)]);
  expect([order, Math.round(meters)]).toEqual([[1, 0, 2], Math.round(metersOf([at(1), at(-1.1), at(4)], [1, 0, 2]))]);
});

test("findShortTour puts a visit first that ends before another begins, however far, and orders overlapping ones freely", () => {
  const [early, late] = [
    { from: 0, to: 10 },
    { from: 11, to: 20 },
  ];
  expect(findShortTour(start, [at(1, 0, late), at(9, 0, early)]).order).toEqual([1, 0]);
  expect(findShortTour(start, [at(1, 0, { from: 10, to: 20 }), at(9, 0, early)]).order).toEqual([0, 1]);
});

test("findShortTour finds the shortest order of few visits that keeps their times", () => {
  const random = numbers(11);
  const next = () => Number(random.next().value);
  for (let run = 0; run < 300; run++) {
    const visits = Array.from({ length: 2 + (run % 6) }, () => {
      const from = run % 2 === 0 ? 0 : Math.floor(next() * 5) * 10;
      return at(next() * 2 - 1, next() * 2 - 1, { from, to: from + 15 });
    });
    const { order, meters } = findShortTour(start, visits);
    expect(order.toSorted((one, other) => one - other)).toEqual(visits.map((_, index) => index));
    expect(metersOf(visits, order)).toBeCloseTo(shortest(visits), 3);
    expect(meters).toBeCloseTo(metersOf(visits, order), 3);
  }
});

test("findShortTour of up to 14 visits is never longer than going to the nearest next one", () => {
  const random = numbers(5);
  const next = () => Number(random.next().value);
  for (const count of [11, 12, 13, 14]) {
    const visits = Array.from({ length: count }, () => at(next() * 10, next() * 10));
    const { order, meters } = findShortTour(start, visits);
    expect(order.toSorted((one, other) => one - other)).toEqual(visits.map((_, index) => index));
    expect(meters).toBeLessThanOrEqual(metersOf(visits, nearest(visits)) + 0.001);
  }
});

test("findShortTour of 49 visits is never longer than going to the nearest next one, and keeps their times", () => {
  const random = numbers(7);
  const next = () => Number(random.next().value);
  for (let run = 0; run < 5; run++) {
    const visits = Array.from({ length: 49 }, () => {
      const from = Math.floor(next() * 5) * 10;
      return at(next() * 10, next() * 10, { from, to: from + 15 });
    });
    const { order, meters } = findShortTour(start, visits);
    expect(order.toSorted((one, other) => one - other)).toEqual(visits.map((_, index) => index));
    expect(meters).toBeCloseTo(metersOf(visits, order), 3);
    expect(meters).toBeLessThanOrEqual(metersOf(visits, nearest(visits)));
    const inTime = order.map((index) => visits[index] ?? at(0));
    expect(inTime.some((one, index) => inTime.slice(index).some((later) => later.to < one.from))).toBe(false);
  }
});

function nearest(visits: Visit[]) {
  const left = visits.map((_, index) => index);
  const order: number[] = [];
  while (left.length > 0) {
    const open = left.filter((one) => !left.some((other) => Number(visits[other]?.to) < Number(visits[one]?.from)));
    const byLength = open.toSorted(
      (one, other) => metersOf(visits, [...order, one]) - metersOf(visits, [...order, other]),
    );
    const [next = 0] = byLength;
    order.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return order;
}

/** The length of the shortest way, by trying all orders. */
function shortest(visits: Visit[], order: number[] = []): number {
  const left = visits.map((_, index) => index).filter((index) => !order.includes(index));
  if (left.length === 0) return metersOf(visits, order);
  const open = left.filter((one) => !left.some((other) => Number(visits[other]?.to) < Number(visits[one]?.from)));
  return Math.min(...open.map((one) => shortest(visits, [...order, one])));
}
