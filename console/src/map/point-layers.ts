import type { LayerSpecification, Map as MapView } from "maplibre-gl";
import type { Theme } from "./base/style.ts";
import { fontOf } from "./object-layers.ts";

export const POINTS = "points";
export const GROUPS = "point groups";
export const CHOSEN = "chosen point";
/** From the next zoom on points stand by themselves. */
export const MAX_GROUP_ZOOM = 13;

const GROUP_RADIUS_PX = 32;
const COLORS = {
  light: { point: "#0b63c4", alarming: "#c92a2a", ring: "#ffffff", text: "#16202a", group: "#16324f" },
  dark: { point: "#74c0fc", alarming: "#ff8787", ring: "#10181f", text: "#f1f5f8", group: "#d7e6f5" },
};

/** Adds the sources and layers of points to a style, above its own layers. */
export function addPointLayers(map: MapView, theme: Theme) {
  const data = { type: "FeatureCollection" as const, features: [] };
  map.addSource(POINTS, {
    ...{ type: "geojson", data, cluster: true, clusterRadius: GROUP_RADIUS_PX, clusterMaxZoom: MAX_GROUP_ZOOM },
    ...{ maxzoom: MAX_GROUP_ZOOM + 1 },
  });
  map.addSource(CHOSEN, { type: "geojson", data });
  for (const layer of layersOf(theme, fontOf(map))) map.addLayer(layer);
}

function layersOf(theme: Theme, font: string[] | undefined): LayerSpecification[] {
  const { point, alarming, ring, text, group } = COLORS[theme];
  const fonts = font ? { "text-font": font } : {};
  const color: ["case", ["get", string], string, string] = ["case", ["get", "isAlarming"], alarming, point];
  return [
    {
      id: GROUPS,
      type: "circle",
      source: POINTS,
      filter: ["has", "point_count"],
      paint: {
        "circle-color": group,
        "circle-radius": ["interpolate", ["linear"], ["log10", ["get", "point_count"]], 0.3, 13, 3, 26],
        ...{ "circle-stroke-color": ring, "circle-stroke-width": 2 },
      },
    },
    {
      id: "point group counts",
      type: "symbol",
      source: POINTS,
      filter: ["has", "point_count"],
      layout: {
        ...{ "text-field": ["get", "point_count_abbreviated"], "text-size": 12, "text-allow-overlap": true, ...fonts },
      },
      paint: { "text-color": ring },
    },
    {
      id: POINTS,
      type: "circle",
      source: POINTS,
      filter: ["!", ["has", "point_count"]],
      paint: {
        ...{ "circle-radius": 7, "circle-color": color, "circle-stroke-color": ring, "circle-stroke-width": 2 },
      },
    },
    {
      id: "chosen ring",
      type: "circle",
      source: CHOSEN,
      paint: {
        ...{ "circle-radius": 16, "circle-color": color, "circle-opacity": 0.18 },
        ...{ "circle-stroke-color": color, "circle-stroke-width": 3 },
      },
    },
    {
      id: "chosen dot",
      type: "circle",
      source: CHOSEN,
      paint: {
        ...{ "circle-radius": 7, "circle-color": color, "circle-stroke-color": ring, "circle-stroke-width": 2 },
      },
    },
    {
      id: CHOSEN,
      type: "symbol",
      source: CHOSEN,
      layout: {
        ...{ "text-field": ["get", "label"], "text-size": 13, "text-offset": [0, 1.5], "text-anchor": "top" },
        ...{ "text-max-width": 14, "text-allow-overlap": true, ...fonts },
      },
      paint: { "text-color": text, "text-halo-color": ring, "text-halo-width": 1.8 },
    },
  ];
}
