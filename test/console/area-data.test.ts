import { expect, test } from "vitest";
import { cellsOf, guessMeanings, missingIn, toBatch, withMeaning } from "../../console/src/place/sheet.ts";
import { summarize } from "../../console/src/zone/visit-summary.ts";
import { toOutline, toShape, type Zone } from "../../console/src/zone/zone-shape.ts";

const BOUNDS = { nw: { lat: 0, lng: 0 }, se: { lat: 0, lng: 0 } };

test("a zone across the date line with a hole is one piece when it is drawn, and is stored as it was", () => {
  const zone: Zone = {
    ...{ id: 1, type: "polygon", label: "Fiji", address: "", color: "27A9E3", tags: [], bounds: BOUNDS },
    points: [
      [179, -17],
      [-179, -17],
      [-179, -16],
    ].map(([lng = 0, lat = 0]) => ({ lat, lng, node: false })),
    holes: [
      [
        [-179.5, -16.9],
        [-179.4, -16.9],
        [-179.4, -16.8],
      ].map(([lng = 0, lat = 0]) => ({ lat, lng })),
    ],
  };
  const shape = toShape(zone);
  expect(shape.rings.map((ring) => ring.map(([lng]) => lng))).toEqual([
    [179, 181, 181],
    [180.5, 180.6, 180.6],
  ]);
  expect(toOutline(shape, zone)).toEqual({ type: "polygon", points: zone.points, holes: zone.holes });
});

test("points of a corridor keep their mark as nodes of a route unless they move", () => {
  const points = [1, 2, 3].map((lng) => ({ lat: 0, lng, node: lng !== 2 }));
  const zone: Zone = {
    ...{ id: 1, type: "sausage", label: "A 96", address: "", color: "27A9E3", tags: [], bounds: BOUNDS },
    ...{ radius: 80, points },
  };
  const { rings, ...shape } = toShape(zone);
  const moved = { ...shape, rings: [[...(rings[0] ?? []).slice(0, 2), [3, 0.5] as const]] };
  const stored = toOutline(moved, zone);
  expect("points" in stored && stored.points?.map(({ node }) => node)).toEqual([true, false, false]);
});

test("visits are summed by tracker, and one without an end lasts until now", () => {
  const visit = (tracker_id: number, from: number, to: number | null) => ({
    tracker_id,
    from: new Date(from * 1000).toISOString(),
    to: to === null ? null : new Date(to * 1000).toISOString(),
  });
  const summary = summarize(
    [visit(1, 0, 60), visit(2, 100, 110), visit(1, 500, null)],
    [{ id: 1, label: "Van" }],
    600_000,
  );
  expect(summary).toMatchObject([
    { label: "Van", count: 2, seconds: 160, isInside: true, last: "1970-01-01T00:08:20.000Z" },
    { label: "2", count: 1, seconds: 10, isInside: false },
  ]);
});

test("columns of a spreadsheet are known by their titles in English and German, else by their order", () => {
  expect(guessMeanings(["Kundennummer", "Name", "Anschrift", "Farbe"], 4)).toEqual([
    ...["external_id", "label", "address", "undefined"],
  ]);
  expect(guessMeanings(["Name", "Latitude", "lng", "Name"], 4)).toEqual(["label", "lat", "lng", "undefined"]);
  const guessed = guessMeanings(undefined, 3);
  expect(guessed).toEqual(["label", "address", "lat"]);
  expect(withMeaning(guessed, 2, "label")).toEqual(["undefined", "address", "label"]);
  expect([missingIn(guessed), missingIn(["address"]), missingIn(["label", "lat"])]).toEqual([
    ...[undefined, "needsName", "needsPosition"],
  ]);
});

test("corrected rows are read again with their other cells, and none becomes a blank line", () => {
  const errors = [{ parameter: "place.location", error: "must have lat and lng" }];
  const place = {
    label: "A\tB",
    description: "tall\ngate",
    location: { lat: 0, lng: 0, address: "", radius: 100 },
    errors,
  };
  expect(cellsOf(place)).toEqual({ label: "A\tB", address: "", lat: "", lng: "", radius: "100" });
  const empty = { label: "", address: "", lat: "", lng: "", radius: "" };
  const { batch, fields } = toBatch(
    [
      { place, cells: { ...cellsOf(place), lat: "48" } },
      { place, cells: empty },
    ],
    70,
  );
  expect(fields).toEqual(["label", "address", "lat", "lng", "radius", "description", "external_id"]);
  expect(batch).toBe("A B\t\t48\t\t100\ttall gate\t\n\t\t\t\t70\ttall gate\t");
});
