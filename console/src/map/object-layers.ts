import type { Feature, Point } from "geojson";
import type { LayerSpecification, Map as MapView, SymbolLayerSpecification } from "maplibre-gl";
import type { LiveStates } from "../live/live-states.ts";
import { type LiveObject, statusIn } from "../live/objects.ts";
import type { Theme } from "./base/style.ts";

export const OBJECTS = "objects";
export const CLUSTERS = "clusters";
export const SELECTED = "selected";
/** From the next zoom on objects stand by themselves, unless their places are the same. */
export const MAX_CLUSTER_ZOOM = 15;

const CLUSTER_RADIUS_PX = 44;
const COLORS = {
  light: { text: "#16202a", halo: "#ffffff", cluster: "#16324f", ring: "#ffffff", selected: "#0b63c4" },
  dark: { text: "#f1f5f8", halo: "#10181f", cluster: "#d7e6f5", ring: "#10181f", selected: "#74c0fc" },
};

/** The object as the map takes it; undefined while it has no position. */
export function toFeature(object: LiveObject, states: LiveStates): Feature<Point> | undefined {
  const gps = states.get(object.sourceId)?.gps;
  if (!gps?.updated) return undefined;
  const status = statusIn(states, object);
  return {
    type: "Feature",
    id: object.id,
    geometry: { type: "Point", coordinates: [gps.location.lng, gps.location.lat] },
    properties: { label: object.label, status, heading: status === "moving" ? gps.heading : 0 },
  };
}

/** Adds the sources and layers of the objects to a style, above its own layers. */
export function addObjectLayers(map: MapView, theme: Theme) {
  const data = { type: "FeatureCollection" as const, features: [] };
  map.addSource(OBJECTS, {
    ...{ type: "geojson", data, cluster: true, clusterRadius: CLUSTER_RADIUS_PX, clusterMaxZoom: MAX_CLUSTER_ZOOM },
    ...{ maxzoom: MAX_CLUSTER_ZOOM + 1 },
  });
  map.addSource(SELECTED, { type: "geojson", data });
  for (const layer of layersOf(theme, fontOf(map))) map.addLayer(layer);
}

function layersOf(theme: Theme, font: string[] | undefined): LayerSpecification[] {
  const { text, halo, cluster, ring, selected } = COLORS[theme];
  const fonts = font ? { "text-font": font } : {};
  const object: Omit<SymbolLayerSpecification, "id" | "source"> = {
    type: "symbol",
    layout: {
      ...{ "icon-image": ["get", "status"], "icon-rotate": ["get", "heading"], "icon-rotation-alignment": "map" },
      ...{ "icon-allow-overlap": true, "text-field": ["get", "label"], "text-size": 12.5, "text-optional": true },
      ...{ "text-offset": [0, 1.35], "text-anchor": "top", "text-max-width": 11, ...fonts },
    },
    paint: { "text-color": text, "text-halo-color": halo, "text-halo-width": 1.8 },
  };
  return [
    {
      id: CLUSTERS,
      type: "circle",
      source: OBJECTS,
      filter: ["has", "point_count"],
      paint: {
        "circle-color": cluster,
        "circle-radius": ["interpolate", ["linear"], ["log10", ["get", "point_count"]], 0.3, 16, 4, 34],
        "circle-stroke-color": ring,
        "circle-stroke-width": 3,
        "circle-opacity": 0.94,
      },
    },
    {
      id: "cluster counts",
      type: "symbol",
      source: OBJECTS,
      filter: ["has", "point_count"],
      layout: {
        ...{ "text-field": ["get", "point_count_abbreviated"], "text-size": 13, "text-allow-overlap": true, ...fonts },
      },
      paint: { "text-color": ring },
    },
    { ...object, id: OBJECTS, source: OBJECTS, filter: ["!", ["has", "point_count"]] },
    {
      id: "selected ring",
      type: "circle",
      source: SELECTED,
      paint: {
        ...{ "circle-radius": 21, "circle-color": selected, "circle-opacity": 0.16 },
        ...{ "circle-stroke-color": selected, "circle-stroke-width": 3 },
      },
    },
    { ...object, id: SELECTED, source: SELECTED, layout: { ...object.layout, "text-offset": [0, 1.9] } },
  ];
}

/** A font that the style of another host has; without files of fonts the browser's own is used. */
export function fontOf(map: MapView): string[] | undefined {
  const { glyphs, layers } = map.getStyle();
  if (!glyphs) return undefined;
  for (const layer of layers) {
    const font: unknown = layer.type === "symbol" ? layer.layout?.["text-font"] : undefined;
    const isList = Array.isArray(font) && font.every((name) => typeof name === "string") && font[0] !== "literal";
    if (isList) return font;
  }
  return undefined;
}
