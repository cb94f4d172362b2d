import { expect, test } from "vitest";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { doReachesOverlap, reachOf } from "./stop-reach.ts";
import { applyFix, cutVisits, type Fix, isAt, NO_VISITS, nextChangeTime, progressOf, type Visits } from "./visits.ts";

const STOP = {
  ...{ task_id: 1, lat: 50, lng: 8, radius: 100 },
  ...{ from: minute(0), deadline: minute(60), min_arrival_ms: 0, min_stay_ms: 0 },
};
const NEVER = Number.NEGATIVE_INFINITY;

test("isAt counts the border of a stop as inside, and a meter behind it as outside", () => {
  const fix = { time: 0, lat: 50.0005, lng: 8 };
  expect(isAt({ ...STOP, radius: 56 }, fix)).toBe(true);
  expect(isAt({ ...STOP, radius: 55 }, fix)).toBe(false);
  expect(isAt(STOP, { time: 0, lat: 50, lng: 8 })).toBe(true);
});

test("a visit lasts from the first fix inside to the first one outside", () => {
  const visits = visitsOf([at(5, 8), at(7, 8), at(9, 8.1), at(12, 8), at(15, 8)]);
  expect(visits).toEqual({
    list: [
      { from: minute(5), to: minute(9) },
      { from: minute(12), to: minute(15) },
    ],
    is_inside: true,
  });
});

test("visits count neither before the beginning nor behind the deadline, and a stay across them counts within", () => {
  expect(visitsOf([at(-5, 8), at(-2, 8.1)])).toEqual(NO_VISITS);
  expect(visitsOf([at(61, 8), at(62, 8)])).toEqual(NO_VISITS);
  expect(visitsOf([at(-5, 8.1), at(-2, 8), at(3, 8), at(70, 8)])).toEqual({
    list: [{ from: minute(0), to: minute(60) }],
    is_inside: false,
  });
  // A tracker that left before the first fix in the range was not seen inside.
  expect(visitsOf([at(-2, 8), at(3, 8.1)])).toEqual(NO_VISITS);
});

test("stays of visits that are long enough add up, and progressOf gives the moment when they sufficed", () => {
  const stop = { ...STOP, min_arrival_ms: 2 * MINUTE_MS, min_stay_ms: 10 * MINUTE_MS };
  const visits = visitsOf([at(0, 8), at(1, 8.1), at(5, 8), at(11, 8.1), at(20, 8), at(40, 8)], stop);
  expect(progressOf(visits, stop, NEVER)).toEqual({
    arrival_date: minute(5),
    arrived: minute(7),
    stay_ms: 26 * MINUTE_MS,
    stayed: minute(24),
  });
});

test("a visit without a later fix goes on with the clock, until the deadline at most", () => {
  const stop = { ...STOP, min_stay_ms: 10 * MINUTE_MS };
  const visits = visitsOf([at(50, 8), at(52, 8)], stop);
  expect(nextChangeTime(visits, stop, minute(52))).toBe(minute(60));
  expect(progressOf(visits, stop, minute(59)).stayed).toBe(null);
  expect(progressOf(visits, stop, minute(90))).toMatchObject({ stayed: minute(60), stay_ms: 10 * MINUTE_MS });
  const longer = { ...stop, min_stay_ms: 11 * MINUTE_MS };
  expect(nextChangeTime(visits, longer, minute(52))).toBe(null);
  expect(nextChangeTime(visitsOf([at(50, 8), at(52, 8.1)]), stop, minute(52))).toBe(null);
});

test("fixes that are taken anew from any time on lead to the same visits", () => {
  const fixes = Array.from({ length: 60 }, (_, index) => at(index - 3, 8 + 0.003 * Math.sin(index * index)));
  const whole = visitsOf(fixes);
  for (let cut = -5; cut < 62; cut += 0.5) {
    const { visits, from } = cutVisits(whole, minute(cut));
    expect(visitsOf(fixes, STOP, visits, from)).toEqual(whole);
  }
});

test("fixes of one time that contradict each other lead to the same visits from any time on", () => {
  const fixes = [at(1, 8), at(2, 8.1), at(3, 8), at(4, 7.9), at(4, 8), at(6, 8), at(7, 8.1)];
  const whole = visitsOf(fixes);
  for (let time = 0; time < 8; time += 0.5) {
    let cut = cutVisits(whole, minute(time));
    cut = cutVisits(whole, cut.from);
    expect(visitsOf(fixes, STOP, cut.visits, cut.from)).toEqual(whole);
  }
});

test("very many visits keep their arrival and their stay", () => {
  const stop = { ...STOP, deadline: minute(100_000) };
  const fixes = Array.from({ length: 5000 }, (_, index) => at(index, index % 2 === 0 ? 8 : 8.1));
  const visits = visitsOf(fixes, stop);
  expect(visits.list.length).toBeLessThan(500);
  expect(progressOf(visits, stop, NEVER)).toMatchObject({ arrival_date: minute(0), stay_ms: 2500 * MINUTE_MS });
});

test("reachOf, the box around a stop, contains all of it, also at the date line and near the poles", () => {
  const beside = { south: 0, north: 0, west: -179.999, east: -179.999 };
  expect(doReachesOverlap(reachOf({ lat: 0, lng: 179.999, radius: 500 }), beside)).toBe(true);
  const across = { south: 89.5, north: 89.5, west: -100, east: -100 };
  expect(doReachesOverlap(reachOf({ lat: 89.5, lng: 80, radius: 200_000 }), across)).toBe(true);
  const reach = reachOf(STOP);
  for (let turn = 0; turn < 360; turn += 5) {
    const [lat, lng] = [50 + 0.00089 * Math.sin(turn), 8 + 0.00138 * Math.cos(turn)];
    const place = { south: lat, north: lat, west: lng, east: lng };
    if (isAt(STOP, { time: 0, lat, lng })) expect(doReachesOverlap(reach, place)).toBe(true);
  }
});

function visitsOf(fixes: Fix[], stop = STOP, begun: Visits = NO_VISITS, from = NEVER): Visits {
  let before: Fix | null = null;
  let visits = begun;
  for (const fix of fixes) {
    if (fix.time >= from) visits = applyFix(visits, stop, fix, before);
    before = fix;
  }
  return visits;
}

function at(minutes: number, lng: number): Fix {
  return { time: minute(minutes), lat: 50, lng };
}

function minute(minutes: number) {
  return 1_800_000_000_000 + minutes * MINUTE_MS;
}
