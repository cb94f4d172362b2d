import { expect, test } from "vitest";
import { allowedMaps } from "./maps.ts";

test("allowedMaps allows a map that any tariff allows", () => {
  const [barring, allowing] = [
    { exclusion: true, values: ["roadmap", "satellite", "hybrid", "wikimapia"] },
    { exclusion: false, values: ["roadmap"] },
  ];
  expect(allowedMaps([barring])).toEqual(["osm", "osmmapnik"]);
  expect(allowedMaps([allowing])).toEqual(["roadmap"]);
  expect(allowedMaps([barring, allowing])).toEqual(["roadmap", "osm", "osmmapnik"]);
  expect(allowedMaps([{ exclusion: false, values: [] }])).toEqual([]);
});

test("allowedMaps without a tariff allows every map", () => expect(allowedMaps([])).toContain("satellite"));
