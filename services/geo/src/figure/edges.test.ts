import { expect, test } from "vitest";
import { chanceOf } from "../../../../test/chance.ts";
import { figure } from "../../../../test/point/rules.ts";
import { contains } from "./contains.ts";
import { edgesAt, type Ring } from "./edges.ts";

test("a polygon that is asked about again and again answers as one that is asked for the first time", () => {
  const chance = chanceOf(11);
  // A star over the date line, some of whose edges go from its south to its north.
  const corners = Array.from({ length: 400 }, (_, index): [number, number] => {
    const [angle, radius] = [(index / 400) * 2 * Math.PI, 0.2 + chance() * 0.8];
    const lng = 180 + radius * Math.cos(angle);
    return [Math.round(100 * radius * Math.sin(angle)) / 100, lng > 180 ? lng - 360 : lng];
  });
  const known = figure("polygon", corners);
  let inside = 0;
  for (let count = 0; count < 2000; count++) {
    const lng = 180 + (chance() - 0.5) * 2.2;
    // Every third is as far to the north as a corner.
    const lat = count % 3 === 0 ? (corners[count % 400]?.[0] ?? 0) : (chance() - 0.5) * 2.2;
    const place = { lat, lng: lng > 180 ? lng - 360 : lng };
    const isIn = contains(figure("polygon", corners), place);
    if (isIn) inside++;
    expect(contains(known, place), `${lat} ${lng}`).toBe(isIn);
  }
  expect(inside).toBeGreaterThan(200);
  expect(inside).toBeLessThan(1800);
});

test("of a large ring few edges are looked at, unless most go from its south to its north", () => {
  const round: Ring = Array.from({ length: 1000 }, (_, index) => [Math.sin(index / 159), Math.cos(index / 159)]);
  const tall: Ring = Array.from({ length: 1000 }, (_, index) => [index % 2, index / 1000]);
  const looked = (ring: Ring) => Array.from({ length: 20 }, () => edgesAt(ring, 0.5)).at(-1)?.length;
  expect(looked(round)).toBeLessThan(50);
  expect(looked(tall)).toBeUndefined();
});
