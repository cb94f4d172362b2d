import type { ExpressionSpecification, LayerSpecification, Map as MapView } from "maplibre-gl";
import type { Theme } from "./base/style.ts";
import { fontOf } from "./object-layers.ts";

export const TRACKS = "tracks";
export const MARKS = "marks";
export const VEHICLES = "track vehicles";
/** Wide and invisible: a thin line is hard to point at. */
export const TRACK_TARGET = "track target";

/** How lines are drawn: expressions over the properties of their features. */
export type TrackPaint = { color: ExpressionSpecification | string; width: ExpressionSpecification | number };

const COLORS = {
  light: { text: "#16202a", halo: "#ffffff" },
  dark: { text: "#f1f5f8", halo: "#10181f" },
};
const EMPTY = { type: "FeatureCollection" as const, features: [] };
const CASING_PX = 3;

/** Adds the sources and layers of journeys to a style, above its own layers. */
export function addTrackLayers(map: MapView, theme: Theme, paint: TrackPaint, namesLines: boolean) {
  map.addSource(TRACKS, { type: "geojson", data: EMPTY, tolerance: 0.6 });
  map.addSource(MARKS, { type: "geojson", data: EMPTY });
  map.addSource(VEHICLES, { type: "geojson", data: EMPTY });
  for (const layer of layersOf(theme, fontOf(map))) map.addLayer(layer);
  paintTracks(map, paint, namesLines);
}

/** Draws the lines in other colors and widths; `namesLines` writes the name of its vehicle along each. */
export function paintTracks(map: MapView, { color, width }: TrackPaint, namesLines: boolean) {
  map.setPaintProperty(TRACKS, "line-color", color);
  map.setPaintProperty(TRACKS, "line-width", width);
  map.setPaintProperty("track casing", "line-width", ["+", width, CASING_PX]);
  map.setLayoutProperty("track names", "visibility", namesLines ? "visible" : "none");
}

function layersOf(theme: Theme, font: string[] | undefined): LayerSpecification[] {
  const { text, halo } = COLORS[theme];
  const fonts = font ? { "text-font": font } : {};
  const line = { "line-join": "round", "line-cap": "round" } as const;
  const label = { "text-color": text, "text-halo-color": halo, "text-halo-width": 1.8 };
  return [
    {
      ...{ id: "track casing", type: "line", source: TRACKS, layout: line },
      paint: { "line-color": halo, "line-opacity": 0.85 },
    },
    { id: TRACKS, type: "line", source: TRACKS, layout: line, paint: {} },
    { id: TRACK_TARGET, type: "line", source: TRACKS, paint: { "line-width": 18, "line-opacity": 0 } },
    {
      ...{ id: "track names", type: "symbol", source: TRACKS },
      layout: {
        ...{ "symbol-placement": "line", "text-field": ["get", "label"], "text-size": 12, "symbol-spacing": 320 },
        ...fonts,
      },
      paint: label,
    },
    {
      ...{ id: MARKS, type: "symbol", source: MARKS },
      layout: {
        ...{ "icon-image": ["get", "icon"], "icon-size": 0.8, "symbol-sort-key": ["get", "rank"], "icon-padding": 0 },
        ...{ "text-field": ["get", "label"], "text-size": 12, "text-offset": [0, 1.1], "text-anchor": "top" },
        ...{ "text-optional": true, ...fonts },
      },
      paint: label,
    },
    {
      ...{ id: VEHICLES, type: "symbol", source: VEHICLES },
      layout: {
        ...{ "icon-image": ["get", "status"], "icon-rotate": ["get", "heading"], "icon-rotation-alignment": "map" },
        ...{ "icon-allow-overlap": true, "icon-ignore-placement": true, "icon-size": 1.15 },
        ...{ "text-field": ["get", "label"], "text-size": 13, "text-radial-offset": 1.6, "text-optional": true },
        ...{ "text-variable-anchor": ["top", "bottom", "left", "right"], ...fonts },
      },
      paint: { ...label, "text-halo-width": 2.2 },
    },
  ];
}
