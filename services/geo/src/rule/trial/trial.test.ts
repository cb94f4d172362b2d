import { expect, test } from "vitest";
import { STEPS_PER_SLICE, WorkBudget } from "#shared/background/work-budget.ts";
import { pointAt, ruleOf, star } from "../../../../../test/tool/point/rules.ts";
import type { GeoEnv } from "../../env.ts";
import { encodePoints } from "../../point/codec.ts";
import { zoneSteps } from "../../zone/zone-steps.ts";
import { RuleZoneIndex } from "./rule-zone-index.ts";
import { findVisits, tryEvents } from "./trial.ts";

const POINTS = Array.from({ length: 400 }, (_, index) =>
  pointAt(index * 30, 50 + 0.15 * Math.sin(index), 8 + 0.15 * Math.cos(index), { speed: 60 }),
);
const RANGE = {
  tracker_id: 1,
  feed: { account_id: 1, tracker_id: 1 },
  from: POINTS[0]?.time ?? 0,
  to: POINTS.at(-1)?.time ?? 0,
};
const RULE = ruleOf({ type: "inoutzone", isZoned: true });

/** The databases of these feeds are never asked: all points are read already. */
const ENV = { DB_URL: "http://127.0.0.1:1", DB_TOKEN: "" } as GeoEnv;

function newTrial(limit: number) {
  const zones = Array.from({ length: 500 }, (_, index) => star(8 + index / 1e5, 50, 0.2, 100, index + 1));
  const zoneIndex = new RuleZoneIndex(zones.map((zone) => ({ ...zone, holes: null })));
  const slices: number[] = [];
  let before = zoneSteps();
  const pause = async () => {
    slices.push(zoneSteps() - before);
    before = zoneSteps();
  };
  return { zones: { zoneIndex, budget: new WorkBudget({ limit, pause }) }, slices };
}

function memoryOf() {
  return { opened: { anchor: null, points: encodePoints(POINTS, "raw") }, page: [] };
}

test.each([
  ["tryEvents", tryEvents],
  ["findVisits", findVisits],
] as const)(
  "%s compares points with 500 stars in slices, each at most one point longer than a slice",
  async (_, find) => {
    const { zones, slices } = newTrial(Number.POSITIVE_INFINITY);
    let found = 0;
    for await (const items of find(ENV, RANGE, memoryOf(), RULE, zones)) found += items.length;
    expect(found).toBeGreaterThan(10);
    expect(slices.length).toBeGreaterThan(1);
    // The first point builds the bands of all zones.
    expect(Math.max(...slices.slice(1))).toBeLessThan(1.1 * STEPS_PER_SLICE);
  },
);

test("tryEvents ends with 267 as soon as its budget is spent", async () => {
  const { zones, slices } = newTrial(STEPS_PER_SLICE);
  const events = tryEvents(ENV, RANGE, memoryOf(), RULE, zones);
  await expect(events.next()).rejects.toMatchObject({ code: 267 });
  expect(slices.length).toBeLessThanOrEqual(1);
});
