import { expect, test } from "vitest";
import type { Position } from "#shared/geometry/position.ts";
import cases from "../../../../test/fixtures/geometry/pip-cases.json" with { type: "json" };
import { chanceOf } from "../../../../test/tool/chance.ts";
import { figure } from "../../../../test/tool/point/rules.ts";
import { contains } from "./contains.ts";
import type { NewZone } from "./schema.ts";
import { shapeOf } from "./shape.ts";

function figureOf(given: Partial<NewZone> & Pick<NewZone, "type">) {
  const input = { radius: null, center: null, points: null, ...given };
  return { ...shapeOf(input, true), type: input.type, radius: input.radius };
}

const at = (lat: number, lng: number) => ({ lat, lng, node: false });
/** The position moved `turn` degrees to the east. */
const moveEast = ({ lat, lng }: Position, turn: number) => at(lat, ((lng + turn + 540) % 360) - 180);

test.each(cases.cases)('a polygon answers the case "$name" with $expect', ({ ring, point, expect: side }) => {
  // A ring may be given closed or not.
  const corners = ring.map(([lng = 0, lat = 0]) => at(lat, lng));
  const [lng = 0, lat = 0] = point;
  for (const points of [corners, corners.slice(0, -1)]) {
    if (points.length < 3) continue;
    expect(contains(figureOf({ type: "polygon", points }), { lat, lng })).toBe(side !== "outside");
  }
});

const line = [at(50, 8), at(50, 9), at(51, 9)];
const square = [at(50, 8), at(50, 9), at(51, 9), at(51, 8)];
test.each([
  ["circle", { type: "circle", center: at(50, 8), radius: 1000 }, [50, 8.0139], [50, 8.0141]],
  ["circle around a pole", { type: "circle", center: at(90, 0), radius: 1000 }, [89.9911, 77], [89.991, 77]],
  ["polygon", { type: "polygon", points: square }, [50, 8.5], [49.9999, 8.5]],
  ["sausage beside its line", { type: "sausage", points: line, radius: 500 }, [50.0044, 8.5], [50.0046, 8.5]],
  ["sausage behind its end", { type: "sausage", points: line, radius: 500 }, [51.0044, 9], [51.0046, 9]],
  ["sausage at its corner", { type: "sausage", points: line, radius: 500 }, [49.9969, 9.0048], [49.9967, 9.0051]],
] as [string, Parameters<typeof figureOf>[0], number[], number[]][])(
  "the edge of a %s is where it should be, also over the date line",
  (_, given, [inLat = 0, inLng = 0], [outLat = 0, outLng = 0]) => {
    for (const turn of [0, 171.5, 172, -188.5]) {
      const center = given.center && moveEast(given.center, turn);
      const points = given.points?.map((point) => moveEast(point, turn));
      const figure = figureOf({ ...given, center: center ?? null, points: points ?? null });
      expect(contains(figure, moveEast(at(inLat, inLng), turn)), `in, moveEast by ${turn}`).toBe(true);
      expect(contains(figure, moveEast(at(outLat, outLng), turn)), `out, moveEast by ${turn}`).toBe(false);
    }
  },
);

// Expected borders were found by measuring to 100,000 positions on the line.
test.each([
  [300_000, [at(58, 8), at(60, 8), at(62, 8)], 60, 13.382284],
  [300_000, [at(70, 8), at(72, 10), at(74, 12)], 72, 19.306583],
  [100_000, [at(80, 8), at(80.5, 14), at(81, 20)], 80.2, 22.466327],
])(
  "the edge of a sausage of %f m to either side is so far from its line, within some meters",
  (radius, points, lat, lng) => {
    for (const turn of [0, 165]) {
      const figure = figureOf({ type: "sausage", points: points.map((point) => moveEast(point, turn)), radius });
      const isIn = [lng - 0.0001, lng + 0.0001].map((east) => contains(figure, moveEast(at(lat, east), turn)));
      expect(isIn, `moveEast by ${turn}`).toEqual([true, false]);
    }
  },
);

test("a polygon that ends at the meridian of 180 degrees contains it as 180 and as -180", () => {
  const figure = figureOf({ type: "polygon", points: [at(0, 170), at(0, 180), at(10, 180), at(10, 170)] });
  expect([180, -180, 179, -179].map((lng) => contains(figure, { lat: 5, lng }))).toEqual([true, true, true, false]);
});

test("a place in a hole is outside and on its edge inside, and a hole beyond the outline adds nothing", () => {
  const points = [at(0, 0), at(0, 4), at(4, 4), at(4, 0)];
  const hole: [number, number][] = [
    [1, 1],
    [6, 1],
    [6, 2],
    [1, 2],
  ];
  const figure = { ...figureOf({ type: "polygon", points }), holes: [hole], east: 9 };
  expect([0.5, 1, 1.5, 4, 5].map((lng) => contains(figure, { lat: 1.5, lng }))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("a polygon answers later questions like the first", () => {
  const chance = chanceOf(11);
  // A star over the date line.
  const corners = Array.from({ length: 400 }, (_, index): [number, number] => {
    const [angle, radius] = [(index / 400) * 2 * Math.PI, 0.2 + chance() * 0.8];
    const lng = 180 + radius * Math.cos(angle);
    return [lng > 180 ? lng - 360 : lng, Math.round(100 * radius * Math.sin(angle)) / 100];
  });
  const known = figure("polygon", corners);
  let inside = 0;
  for (let count = 0; count < 2000; count++) {
    const lng = 180 + (chance() - 0.5) * 2.2;
    // Every third position is as far north as a corner.
    const lat = count % 3 === 0 ? (corners[count % 400]?.[1] ?? 0) : (chance() - 0.5) * 2.2;
    const place = { lat, lng: lng > 180 ? lng - 360 : lng };
    const isIn = contains(figure("polygon", corners), place);
    if (isIn) inside++;
    expect(contains(known, place), `${lat} ${lng}`).toBe(isIn);
  }
  expect(inside).toBeGreaterThan(200);
  expect(inside).toBeLessThan(1800);
});
