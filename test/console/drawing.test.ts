import { expect, test } from "vitest";
import {
  type Drawing,
  type DrawingAction,
  isChanged,
  reduceDrawing,
  shapeOf,
  startDrawing,
} from "../../console/src/map/drawing/drawing.ts";
import { handlesOf, toFeatures } from "../../console/src/map/drawing/features.ts";
import {
  areaOf,
  boundsOf,
  circleRing,
  joinBounds,
  lengthOf,
  metersBetween,
} from "../../console/src/map/drawing/geometry.ts";
import { type LngLat, problemsOf, type Shape } from "../../console/src/map/drawing/shape.ts";
import { snap } from "../../console/src/map/drawing/snap.ts";

const SQUARE: LngLat[] = [
  [10, 50],
  [10.1, 50],
  [10.1, 50.1],
  [10, 50.1],
];
const HOLE: LngLat[] = [
  [10.02, 50.02],
  [10.04, 50.02],
  [10.03, 50.04],
];

function draw(start: Drawing, ...actions: DrawingAction[]): Drawing {
  return actions.reduce(reduceDrawing, start);
}
const add = (position: LngLat): DrawingAction => ({ type: "add", position });
const square = () => draw(startDrawing("polygon"), ...SQUARE.map(add), { type: "finish" });

test("undo takes the corners of a polygon back one by one, and redo brings them again", () => {
  const drawn = square();
  expect(shapeOf(drawn).rings).toEqual([SQUARE]);
  const undone = draw(drawn, { type: "undo" }, { type: "undo" });
  expect(undone.history.present).toEqual({ shape: { ...shapeOf(drawn), rings: [SQUARE.slice(0, 3)] }, drawnRing: 0 });
  const redone = draw(undone, { type: "redo" }, { type: "redo" }, { type: "redo" });
  expect(redone.history.present).toEqual(drawn.history.present);
  expect(isChanged(draw(undone, ...Array(9).fill({ type: "undo" })))).toBe(false);
});

test("a change after undo ends what redo could bring again", () => {
  const moved = draw(square(), { type: "undo" }, add([10.05, 50.2]));
  expect(moved.history.future).toEqual([]);
  expect(draw(moved, { type: "redo" })).toEqual({ ...moved, selected: undefined });
});

test("numbers typed for one vertex are one step, and the radius of a circle is another", () => {
  const at = { ring: 0, index: 1 };
  const typed = draw(square(), { type: "edit", at, position: [10.2, 50] }, { type: "edit", at, position: [10.25, 50] });
  expect(shapeOf(typed).rings[0]?.[1]).toEqual([10.25, 50]);
  expect(shapeOf(draw(typed, { type: "undo" })).rings).toEqual([SQUARE]);
  const circle = draw(startDrawing("circle"), add([10, 50]), ...[2, 25, 250].map(radius));
  expect([shapeOf(circle).radius, circle.history.present.drawnRing]).toEqual([250, undefined]);
  expect(shapeOf(draw(circle, { type: "undo" }))).toMatchObject({ radius: 150, rings: [[[10, 50]]] });
});
const radius = (meters: number): DrawingAction => ({ type: "radius", meters });

test("a hole is drawn as a ring of its own, and goes with its last corner", () => {
  const pierced = draw(square(), { type: "startHole" }, ...HOLE.map(add), { type: "finish" });
  expect(shapeOf(pierced).rings).toEqual([SQUARE, HOLE]);
  expect(toFeatures(shapeOf(pierced))[0]?.geometry).toMatchObject({ type: "Polygon", coordinates: { length: 2 } });
  expect(areaOf(shapeOf(pierced))).toBeLessThan(areaOf(shapeOf(square())));
  const at = { ring: 1, index: 0 };
  const emptied = draw(pierced, ...Array(3).fill({ type: "remove", at }));
  expect(emptied.history.present).toEqual({ shape: { ...shapeOf(pierced), rings: [SQUARE] }, drawnRing: undefined });
  expect(draw(square(), { type: "startHole" }, { type: "finish" }).history.present.shape.rings).toEqual([SQUARE]);
});

test("handles are the vertices and the middles of edges, whose move inserts a vertex", () => {
  const drawn = square();
  const handles = handlesOf(drawn.history.present);
  expect(handles.map(({ kind }) => kind)).toEqual([...Array(4).fill("vertex"), ...Array(4).fill("middle")]);
  const middle = handles.at(-1);
  expect(middle).toMatchObject({ at: { ring: 0, index: 4 }, position: [10, 50.05] });
  const bent = draw(drawn, { type: "insert", at: { ring: 0, index: 4 }, position: [9.9, 50.05] });
  expect(shapeOf(bent).rings[0]).toEqual([...SQUARE, [9.9, 50.05]]);
});

test("a zone across the date line stays in one piece, whichever copy of the world is pressed", () => {
  const drawn = draw(startDrawing("polygon"), add([179, -17]), add([-179, -17]), add([541, -16]), { type: "finish" });
  expect(shapeOf(drawn).rings[0]?.map(([lng]) => lng)).toEqual([179, 181, 181]);
  expect(boundsOf(shapeOf(drawn))).toEqual([179, -17, 181, -16]);
  expect(problemsOf(shapeOf(drawn))).toEqual([]);
  expect(
    joinBounds([
      [179, -17, 181, -16],
      [-179.5, -18, -179, -17],
    ]),
  ).toEqual([179, -18, 181, -16]);
});

test("a circle's ring has its radius, and a corridor's length is measured along its line", () => {
  const center: LngLat = [11.5, 48.1];
  for (const corner of circleRing(center, 500)) expect(metersBetween(center, corner)).toBeCloseTo(500, 3);
  expect(areaOf({ type: "circle", rings: [[center]], radius: 1000 })).toBeCloseTo(3_141_593, -1);
  expect(
    lengthOf([
      [0, 0],
      [0, 1],
      [0, 2],
    ]),
  ).toBeCloseTo(222_390, -2);
  expect(
    areaOf({
      type: "polygon",
      rings: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ],
      ],
      radius: 0,
    }),
  ).toBeCloseTo(12_363e6, -8);
});

test("problems name too few and too many vertices, crossing edges, holes outside and radii that are too large", () => {
  const problems = (shape: Partial<Shape>) => problemsOf({ type: "polygon", rings: [SQUARE], radius: 0, ...shape });
  const many = Array.from({ length: 101 }, (_, index): LngLat => [index / 1000, 50 + (index / 1000) ** 2]);
  const bowTie = [SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]] as LngLat[];
  expect(problems({})).toEqual([]);
  expect(problems({ rings: [SQUARE.slice(1, 3)] })).toEqual(["tooFew"]);
  expect(problems({ rings: [many] })).toEqual(["tooMany"]);
  expect(problems({ rings: [SQUARE, HOLE.slice(1)] })).toEqual(["holeTooFew"]);
  expect(problems({ rings: [bowTie] })).toEqual(["crossing"]);
  expect(problems({ rings: [SQUARE, HOLE.map(([lng, lat]): LngLat => [lng + 1, lat])] })).toEqual(["holeOutside"]);
  expect(problems({ rings: [SQUARE, SQUARE] })).toEqual([]);
  expect(problems({ type: "circle", rings: [[]] })).toEqual(["tooFew", "radius"]);
  expect(problems({ type: "sausage", rings: [many], radius: 300_001 })).toEqual(["radius"]);
});

test("snap takes the nearest corner within its tolerance before the nearest place on an edge", () => {
  const project = ([lng, lat]: LngLat) => ({ x: lng * 100, y: -lat * 100 });
  const lines = [
    {
      vertices: [
        [0, 0],
        [1, 0],
        [1, 1],
      ] as LngLat[],
      isClosed: false,
    },
  ];
  expect(snap([0.95, 0.05], lines, { project, tolerance: 12 })).toEqual([1, 0]);
  expect(snap([0.5, 0.08], lines, { project, tolerance: 12 })).toEqual([0.5, 0]);
  expect(snap([0.5, 0.5], lines, { project, tolerance: 12 })).toBeUndefined();
  const [{ vertices }] = lines as [(typeof lines)[0]];
  expect(snap([0.5, 0.5], [{ vertices, isClosed: true }], { project, tolerance: 12 })).toEqual([0.5, 0.5]);
});
