import type { StyleSpecification } from "maplibre-gl";
export type Theme = "light" | "dark";

const COLORS = {
  light: { water: "#d3e4f2", land: "#f6f5f1", coast: "#b4c8d8", border: "#b3a9b5", text: "#475057", halo: "#f6f5f1" },
  dark: { water: "#10181f", land: "#1d262d", coast: "#33424d", border: "#4a5661", text: "#a9b4bd", halo: "#1d262d" },
};
/** The least population of the places that are named from a zoom on. */
const NAMED: [zoom: number, population: number][] = [
  [0, 5_000_000],
  [3, 2_000_000],
  [4, 800_000],
  [5, 300_000],
  [6, 120_000],
  [7, 50_000],
  [8, 0],
];
export const ATTRIBUTION = "Natural Earth, GeoNames";
/** The map's worker makes the tiles of these addresses; no host has them. */
export const PROTOCOL = "base";
/** Land with its coasts and borders, and towns. Nearer than `maxzoom` the tiles of that zoom are enlarged. */
export const BASE_SOURCES = {
  world: { type: "vector", tiles: [`${PROTOCOL}://world/{z}/{x}/{y}`], maxzoom: 7, attribution: ATTRIBUTION },
  places: { type: "vector", tiles: [`${PROTOCOL}://places/{z}/{x}/{y}`], maxzoom: 10 },
} satisfies StyleSpecification["sources"];
export type BaseSource = keyof typeof BASE_SOURCES;

/** The built-in base map: land, borders and towns, from files of this host alone. */
export function baseStyle(theme: Theme): StyleSpecification {
  const colors = COLORS[theme];
  const isLarge = [">=", ["get", "population"], ["step", ["zoom"], ...NAMED.flat().slice(1)]];
  return {
    version: 8,
    sources: BASE_SOURCES,
    layers: [
      { id: "water", type: "background", paint: { "background-color": colors.water } },
      { id: "land", type: "fill", source: "world", "source-layer": "land", paint: { "fill-color": colors.land } },
      {
        id: "coast",
        type: "line",
        source: "world",
        "source-layer": "coast",
        paint: { "line-color": colors.coast, "line-width": 1 },
      },
      {
        id: "borders",
        type: "line",
        source: "world",
        "source-layer": "borders",
        paint: { "line-color": colors.border, "line-width": ["interpolate", ["linear"], ["zoom"], 2, 0.6, 8, 1.6] },
      },
      {
        id: "place dots",
        type: "circle",
        source: "places",
        "source-layer": "places",
        filter: isLarge,
        paint: {
          ...{ "circle-radius": 2.5, "circle-color": colors.land, "circle-stroke-color": colors.text },
          "circle-stroke-width": 1.2,
        },
      },
      {
        id: "places",
        type: "symbol",
        source: "places",
        "source-layer": "places",
        filter: isLarge,
        layout: {
          "text-field": ["get", "name"],
          "text-size": ["interpolate", ["linear"], ["get", "population"], 20_000, 11, 3_000_000, 15],
          "symbol-sort-key": ["-", 0, ["get", "population"]],
          ...{ "text-padding": 8, "text-anchor": "top", "text-offset": [0, 0.35] },
        },
        paint: { "text-color": colors.text, "text-halo-color": colors.halo, "text-halo-width": 1.4 },
      },
    ],
  } as StyleSpecification; // the type of a filter takes no list that is put together
}
