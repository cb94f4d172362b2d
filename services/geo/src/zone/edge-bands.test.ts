import { expect, test } from "vitest";
import { chanceOf } from "../../../../test/tool/chance.ts";
import { figure, star } from "../../../../test/tool/point/rules.ts";
import { contains, isNearEdge, STEPS_PER_SHAPE } from "./contains.ts";
import { crossingOf } from "./crossing.ts";
import { zoneSteps } from "./zone-steps.ts";

/** A line that zigzags to the north, of as many corners as a sausage may have. */
const zigzag = figure(
  "sausage",
  Array.from({ length: 1024 }, (_, index): [number, number] => [8 + (index % 2) / 1000, 50 + index / 10_000]),
  50,
);

function stepsOf(work: () => unknown): number {
  const before = zoneSteps();
  work();
  return zoneSteps() - before;
}

test("contains compares a position with fewer than half of a star's edges, and with a tenth of a long line's", () => {
  const chance = chanceOf(3);
  const polygon = star(8, 50, 0.2, 100);
  contains(polygon, { lat: 50, lng: 8 });
  contains(zigzag, { lat: 50, lng: 8 });
  for (let count = 0; count < 500; count++) {
    const position = { lat: 49.8 + chance() * 0.4, lng: 7.8 + chance() * 0.4 };
    expect(stepsOf(() => contains(polygon, position)) - STEPS_PER_SHAPE).toBeLessThan(50);
    const beside = { lat: 50 + chance() * 0.1, lng: 8.01 };
    expect(stepsOf(() => contains(zigzag, beside)) - STEPS_PER_SHAPE).toBeLessThan(102);
  }
});

test("isNearEdge and crossingOf compare with the edges at their latitudes only", () => {
  contains(zigzag, { lat: 50, lng: 8 });
  const [from, to] = [
    { lat: 50.05, lng: 7.9 },
    { lat: 50.0501, lng: 8.1 },
  ];
  expect(crossingOf(zigzag, from, to)).toMatchObject({ share: expect.closeTo(0.5, 1) });
  expect(stepsOf(() => crossingOf(zigzag, from, to))).toBeLessThan(2500);
  const polygon = star(8, 50, 0.2, 100);
  isNearEdge(polygon, { lat: 50, lng: 8 }, 10);
  expect(stepsOf(() => isNearEdge(polygon, { lat: 50.1, lng: 8.19 }, 10))).toBeLessThan(50);
});

test("a line is near a position of any band that it reaches, as a comparison with all of its edges tells", () => {
  const chance = chanceOf(5);
  const corners = Array.from({ length: 60 }, (): [number, number] => [179.5 + chance(), 10 + chance()]).map(
    ([lng, lat]): [number, number] => [lng > 180 ? lng - 360 : lng, lat],
  );
  const whole = figure("sausage", corners, 1500);
  const parts = corners.slice(1).map((corner, index) => figure("sausage", [corners[index] ?? corner, corner], 1500));
  let near = 0;
  for (let count = 0; count < 3000; count++) {
    const lng = 179.4 + chance() * 1.2;
    const position = { lat: 9.9 + chance() * 1.2, lng: lng > 180 ? lng - 360 : lng };
    const isIn = parts.some((part) => contains(part, position));
    if (isIn) near++;
    expect(contains(whole, position), JSON.stringify(position)).toBe(isIn);
  }
  expect(near).toBeGreaterThan(300);
  expect(near).toBeLessThan(2900);
});
