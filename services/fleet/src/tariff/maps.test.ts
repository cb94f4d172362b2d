import { expect, test } from "vitest";
import { allowedMaps } from "./maps.ts";

test("a map is allowed where any plan allows it", () => {
  const [barring, allowing] = [
    { exclusion: true, values: ["roadmap", "satellite", "hybrid", "wikimapia"] },
    { exclusion: false, values: ["roadmap"] },
  ];
  expect(allowedMaps([barring])).toEqual(["osm", "osmmapnik"]);
  expect(allowedMaps([allowing])).toEqual(["roadmap"]);
  expect(allowedMaps([barring, allowing])).toEqual(["roadmap", "osm", "osmmapnik"]);
  expect(allowedMaps([{ exclusion: false, values: [] }])).toEqual([]);
});

test("without a plan nothing is barred", () => expect(allowedMaps([])).toContain("satellite"));
