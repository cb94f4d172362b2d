import { expect, test } from "vitest";
import { isApiError } from "#shared/error/api-error.ts";
import type { Reply } from "../../../../../test/tool/call/account.ts";
import { contains } from "../contains.ts";
import { toZone, type Zone } from "../schema.ts";
import { parseGeoJson } from "./read-geojson.ts";
import { featureOf } from "./write-geojson.ts";

const SQUARE = [
  [8, 50],
  [8.4, 50],
  [8.4, 50.4],
  [8, 50.4],
  [8, 50],
];
const HOLE = [
  [8.1, 50.1],
  [8.1, 50.2],
  [8.2, 50.2],
  [8.2, 50.1],
  [8.1, 50.1],
];

test("parseGeoJson makes points circles and lines sausages, keeps polygons' holes, and makes parts zones of their own", () => {
  const { zones, skipped } = read([
    feature({ type: "Point", coordinates: [8, 50, 120] }, { name: "Depot", radius: "300.4", color: "#ff0000" }),
    feature(
      {
        type: "LineString",
        coordinates: [
          [8, 50],
          [8.1, 50],
          [8.2, 50.1],
        ],
      },
      { label: "Road" },
    ),
    feature({ type: "Polygon", coordinates: [SQUARE, HOLE] }, { title: "Yard", address: "1 Dock Road" }),
    feature({ type: "MultiPolygon", coordinates: [[SQUARE], [HOLE]] }),
    feature(null, { name: "Nothing" }),
    feature({
      type: "GeometryCollection",
      geometries: [
        {
          type: "MultiPoint",
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
    }),
  ]);
  expect(zones.map(({ input }) => [input.type, input.label, input.radius])).toEqual([
    ["circle", "Depot", 300],
    ["sausage", "Road", 150],
    ["polygon", "Yard", null],
    ["polygon", "#1", null],
    ["polygon", "#1", null],
    ["circle", "#2", 150],
    ["circle", "#2", 150],
  ]);
  expect(zones[0]?.input.color).toBe("ff0000");
  expect(zones[2]?.input.address).toBe("1 Dock Road");
  expect(zones[2]?.shape.holes).toEqual([HOLE.slice(0, -1)]);
  expect(skipped).toEqual([{ index: 4, name: "Nothing", reason: "has no point, line or polygon" }]);
});

test("a zone of GeoJSON does not contain a place in its hole, and contains one on the hole's edge", () => {
  const [zone] = read([feature({ type: "Polygon", coordinates: [SQUARE, HOLE] })]).zones;
  const figure = { type: "polygon" as const, radius: null, ...only(zone).shape };
  expect([0.05, 0.1, 0.15, 0.25].map((east) => contains(figure, { lat: 50.15, lng: 8 + east }))).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test.each([
  ["no JSON", "{", 234],
  ["another kind of JSON", '{"type":"Topology"}', 234],
  ["a feature that is none", '{"type":"FeatureCollection","features":[7]}', 234],
  [
    "only coordinates that are none",
    JSON.stringify(collection([feature({ type: "Point", coordinates: ["8", 50] })])),
    234,
  ],
  [
    "only a line of two points",
    JSON.stringify({
      type: "LineString",
      coordinates: [
        [8, 50],
        [9, 50],
      ],
    }),
    234,
  ],
  ["only a polygon of too many points", JSON.stringify({ type: "Polygon", coordinates: [ring(101)] }), 202],
  ["only a hole of too many points", JSON.stringify({ type: "Polygon", coordinates: [SQUARE, ring(101)] }), 202],
])("parseGeoJson refuses a document with %s", (_, text, code) => {
  expect(codeOf(() => parseGeoJson(text, 150))).toBe(code);
});

test.each([
  ["1000000 values", `{"type":"FeatureCollection","features":[${"[],".repeat(600_000)}[]]}`],
  ["10000 placemarks or features", `{"type":"FeatureCollection","features":[${"{},".repeat(10_000)}{}]}`],
  ["5000 zones", JSON.stringify({ type: "MultiPoint", coordinates: Array(5001).fill([8, 50]) })],
  ["200000 points", JSON.stringify({ type: "LineString", coordinates: Array(200_001).fill([8, 50]) })],
  [
    "16 collections within each other",
    `${'{"type":"GeometryCollection","geometries":['.repeat(100)}${"]}".repeat(100)}`,
  ],
])("parseGeoJson refuses a document of more than %s, and says so", (limit, text) => {
  const errors = [{ parameter: "file", error: `must have at most ${limit}` }];
  expect(() => parseGeoJson(text, 150)).toThrow(expect.objectContaining({ code: 9, extra: { errors } }));
});

test("parseGeoJson cleans labels of characters that they may not have", () => {
  const names = ["\0Yard\ud800 ", `${"x".repeat(300)}`, "\0"];
  const { zones } = read(names.map((name) => feature({ type: "Point", coordinates: [8, 50] }, { name })));
  expect(zones.map(({ input }) => input.label)).toEqual(["Yard\ufffd", "x".repeat(255), "#1"]);
});

test("GeoJSON of a zone has closed outlines to the left and holes to the right, however they were given", () => {
  const turned = [SQUARE.toReversed(), HOLE.toReversed()];
  for (const coordinates of [[SQUARE, HOLE], turned]) {
    const { geometry } = toAnswer({ type: "Polygon", coordinates });
    expect(geometry.type).toBe("Polygon");
    expect(geometry.coordinates.map(areaOf).map(Math.sign)).toEqual([1, -1]);
    for (const ring of geometry.coordinates) expect(ring.at(-1)).toEqual(ring[0]);
  }
});

test("GeoJSON of a zone over the date line has parts that end at it and cover the zone", () => {
  const polygon = toAnswer({
    type: "Polygon",
    coordinates: [
      [
        [179, 10],
        [-179, 10],
        [-179, 11],
        [179, 11],
        [179, 10],
      ],
    ],
  });
  expect(polygon.geometry.type).toBe("MultiPolygon");
  expect(polygon.geometry.coordinates.map(([ring]: number[][][]) => areaOf(ring ?? []))).toEqual([2, 2]);
  const line = toAnswer({
    type: "LineString",
    coordinates: [
      [179, 10],
      [-179, 11],
      [-178, 12],
    ],
  });
  expect(line.geometry).toEqual({
    type: "MultiLineString",
    coordinates: [
      [
        [179, 10],
        [180, 10.5],
      ],
      [
        [-180, 10.5],
        [-179, 11],
        [-178, 12],
      ],
    ],
  });
  const beyond = read([
    feature({
      type: "Polygon",
      coordinates: [
        [
          [179, 10],
          [181, 10],
          [181, 11],
          [179, 11],
        ],
      ],
    }),
  ]);
  expect(only(beyond.zones[0]).shape).toMatchObject({ west: 179, east: -179 });
});

function read(features: object[]) {
  return parseGeoJson(`\n${JSON.stringify(collection(features))}`, 150);
}

function collection(features: object[]) {
  return { type: "FeatureCollection", features };
}

function feature(geometry: object | null, properties: object | null = null) {
  return { type: "Feature", geometry, properties };
}

/** A zone in the form of an answer, from the parsed one. */
function toAnswer(geometry: object): Reply {
  const { input, shape } = only(read([feature(geometry)]).zones[0]);
  const zone: Zone = toZone({ id: 1, ...input, ...shape });
  return featureOf(zone);
}

function ring(count: number) {
  return Array.from({ length: count }, (_, index) => [8 + Math.cos(index / 17) / 10, 50 + Math.sin(index / 17) / 10]);
}

/** Twice the signed area, rounded. */
function areaOf(ring: number[][]) {
  const sum = ring.slice(1).reduce((total, [lng = 0, lat = 0], index) => {
    const [beforeLng = 0, beforeLat = 0] = ring[index] ?? [];
    return total + beforeLng * lat - lng * beforeLat;
  }, 0);
  return Math.round(sum * 1e6) / 1e6;
}

function only<Thing>(thing: Thing | undefined): Thing {
  if (!thing) throw new Error("there is none");
  return thing;
}

function codeOf(reading: () => unknown) {
  try {
    reading();
  } catch (thrown) {
    if (isApiError(thrown)) return thrown.code;
    throw thrown;
  }
}
