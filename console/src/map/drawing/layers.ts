import type { FeatureCollection } from "geojson";
import type { ExpressionSpecification, LayerSpecification, Map as MapView } from "maplibre-gl";
import type { Theme } from "../base/style.ts";
import { fontOf } from "../object-layers.ts";
import { EMPTY } from "./features.ts";

export const SOURCES = ["areas", "area labels", "visits", "sketch", "guide", "handles"] as const;
export type SourceName = (typeof SOURCES)[number];
export type AreaData = Partial<Record<SourceName, FeatureCollection>>;
/** The layers whose features a press on the map finds. */
export const AREA_LAYERS = ["area dots", "area fill", "area band", "area line"];

const COLORS = {
  light: { text: "#16202a", halo: "#ffffff", ring: "#ffffff", sketch: "#c2255c", visit: "#e8590c" },
  dark: { text: "#f1f5f8", halo: "#10181f", ring: "#10181f", sketch: "#ff8ab0", visit: "#ffa94d" },
};
/** Tiles are cut no smaller than at this zoom: a wide corridor beside a tile would be missing in it otherwise. */
const MAX_TILE_ZOOM = 13;
const TILE_BUFFER = 512;
/** `2 ** 24`: the width of a corridor doubles with each zoom. */
const WIDTH_AT_ZOOM_24 = 16_777_216;
const BAND_WIDTH: ExpressionSpecification = [
  ...["interpolate", ["exponential", 2], ["zoom"], 0, ["get", "width"]],
  ...[24, ["*", ["get", "width"], WIDTH_AT_ZOOM_24]],
] as ExpressionSpecification; // the type takes no list that is put together
const IS_POLYGON: ExpressionSpecification = ["==", ["geometry-type"], "Polygon"];
const IS_LINE: ExpressionSpecification = ["==", ["geometry-type"], "LineString"];
const ROUND = { "line-cap": "round", "line-join": "round" } as const;

/** Adds the sources and layers of areas and of what is drawn to a style, above its own layers. */
export function addAreaLayers(map: MapView, theme: Theme, data: AreaData) {
  addSources(map, SOURCES, data);
  const layers = [...areaLayers(theme), ...labelLayers(theme, fontOf(map)), ...sketchLayers(theme)];
  for (const layer of [...layers, ...handleLayers(theme)]) map.addLayer(layer);
}

/** Adds areas with their names alone, for a map on which nothing is drawn. */
export function addShownAreaLayers(map: MapView, theme: Theme, data: AreaData) {
  addSources(map, ["areas", "area labels"], data);
  for (const layer of [...areaLayers(theme), ...labelLayers(theme, fontOf(map))]) map.addLayer(layer);
}

function addSources(map: MapView, names: readonly SourceName[], data: AreaData) {
  for (const name of names)
    map.addSource(name, {
      ...{ type: "geojson", data: data[name] ?? EMPTY, maxzoom: MAX_TILE_ZOOM, buffer: TILE_BUFFER },
    });
}

function areaLayers(theme: Theme): LayerSpecification[] {
  const isHighlighted: ExpressionSpecification = ["get", "highlighted"];
  const color: ExpressionSpecification = ["get", "color"];
  return [
    {
      ...{ id: "area fill", type: "fill", source: "areas", filter: IS_POLYGON },
      paint: { "fill-color": color, "fill-opacity": ["case", isHighlighted, 0.4, theme === "dark" ? 0.28 : 0.2] },
    },
    {
      ...{ id: "area band", type: "line", source: "areas", filter: IS_LINE, layout: ROUND },
      paint: { "line-color": color, "line-opacity": ["case", isHighlighted, 0.5, 0.3], "line-width": BAND_WIDTH },
    },
    {
      ...{ id: "area line", type: "line", source: "areas", layout: ROUND },
      paint: { "line-color": color, "line-width": ["case", isHighlighted, 4, 2] },
    },
  ];
}

function labelLayers(theme: Theme, font: string[] | undefined): LayerSpecification[] {
  const { text, halo, ring } = COLORS[theme];
  return [
    {
      ...{ id: "area dots", type: "circle", source: "area labels" },
      paint: {
        "circle-color": ["get", "color"],
        "circle-radius": ["case", ["get", "highlighted"], 8, 5],
        ...{ "circle-stroke-color": ring, "circle-stroke-width": 2 },
      },
    },
    {
      ...{ id: "area labels", type: "symbol", source: "area labels" },
      layout: {
        ...{ "text-field": ["get", "label"], "text-size": 12.5, "text-anchor": "top", "text-offset": [0, 0.7] },
        ...{ "text-max-width": 11, "text-optional": true, ...(font ? { "text-font": font } : {}) },
      },
      paint: { "text-color": text, "text-halo-color": halo, "text-halo-width": 1.8 },
    },
  ];
}

function sketchLayers(theme: Theme): LayerSpecification[] {
  const { sketch: color } = COLORS[theme];
  return [
    {
      ...{ id: "sketch fill", type: "fill", source: "sketch", filter: IS_POLYGON },
      paint: { "fill-color": ["get", "color"], "fill-opacity": 0.3 },
    },
    {
      ...{ id: "sketch band", type: "line", source: "sketch", filter: IS_LINE, layout: ROUND },
      paint: { "line-color": ["get", "color"], "line-opacity": 0.35, "line-width": BAND_WIDTH },
    },
    {
      ...{ id: "sketch line", type: "line", source: "sketch", layout: ROUND },
      paint: { "line-color": color, "line-width": 2.5 },
    },
    {
      ...{ id: "guide", type: "line", source: "guide", layout: ROUND },
      paint: { "line-color": color, "line-width": 2, "line-dasharray": [1, 2] },
    },
  ];
}

function handleLayers(theme: Theme): LayerSpecification[] {
  const { ring, sketch, visit } = COLORS[theme];
  const isMiddle: ExpressionSpecification = ["==", ["get", "kind"], "middle"];
  const isSelected: ExpressionSpecification = ["==", ["get", "kind"], "selected"];
  return [
    {
      ...{ id: "visits", type: "circle", source: "visits" },
      paint: {
        ...{ "circle-radius": 4, "circle-color": visit, "circle-opacity": 0.85 },
        ...{ "circle-stroke-color": ring, "circle-stroke-width": 1 },
      },
    },
    {
      ...{ id: "handles", type: "circle", source: "handles" },
      paint: {
        "circle-radius": ["case", isSelected, 8, isMiddle, 4, 6],
        "circle-color": ["case", isSelected, sketch, ring],
        "circle-opacity": ["case", isMiddle, 0.8, 1],
        "circle-stroke-color": ["case", isSelected, ring, sketch],
        "circle-stroke-width": ["case", isMiddle, 1.5, 2.5],
      },
    },
  ];
}
