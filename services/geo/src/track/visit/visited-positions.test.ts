import { expect, test } from "vitest";
import { STEPS_PER_SLICE, WorkBudget } from "#shared/background/work-budget.ts";
import { star } from "../../../../../test/tool/point/rules.ts";
import { zoneSteps } from "../../zone/zone-steps.ts";
import { VisitedPositions } from "./visited-positions.ts";

const AREAS = Array.from({ length: 30 }, (_, index) => star(8 + index / 1e5, 50, 0.2, 100, index + 1));

test("VisitedPositions compares positions with areas in slices, each hardly longer than a slice", async () => {
  const visited = newPositions();
  const slices: number[] = [];
  let before = zoneSteps();
  const pause = async () => {
    slices.push(zoneSteps() - before);
    before = zoneSteps();
  };
  const budget = new WorkBudget({ limit: Number.POSITIVE_INFINITY, pause });
  for (const area of AREAS) expect(await visited.isInside(area, budget)).toBe(false);
  expect(slices.length).toBeGreaterThan(1);
  expect(Math.max(...slices)).toBeLessThan(1.01 * STEPS_PER_SLICE);
});

test("VisitedPositions stops as soon as its budget is spent", async () => {
  const before = zoneSteps();
  const compared = newPositions().isInside(AREAS[0] ?? star(8, 50, 1, 4), new WorkBudget({ limit: 10_000 }));
  await expect(compared).rejects.toMatchObject({ code: 267 });
  expect(zoneSteps() - before).toBeLessThan(20_000);
});

/** Positions between two spikes of the stars. */
function newPositions() {
  const visited = new VisitedPositions();
  for (let index = 0; index < 10_000; index++) {
    const [angle, distance] = [Math.PI / 100, 0.16 + (index % 1000) / 50_000];
    const turn = angle + (Math.floor(index / 1000) * Math.PI) / 25;
    visited.add({ lat: 50 + distance * Math.sin(turn), lng: 8 + distance * Math.cos(turn) });
  }
  return visited;
}
