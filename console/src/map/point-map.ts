import type { Feature, Point } from "geojson";
import { type Area, toAreaFeatures } from "./drawing/features.ts";
import { type Bounds, boundsOf, joinBounds } from "./drawing/geometry.ts";
import { addShownAreaLayers } from "./drawing/layers.ts";
import { addPointLayers, CHOSEN, GROUPS, MAX_GROUP_ZOOM, POINTS } from "./point-layers.ts";
import { StyledMap, type StyledMapOptions } from "./styled-map.ts";

/** A thing at a place that does not move. An alarming one is drawn in another colour. */
export type MapPoint = { id: number; location: { lat: number; lng: number }; label: string; isAlarming?: boolean };
export type PointMapOptions = StyledMapOptions & { onSelect(id: number): void };

const CLOSE_ZOOM = 14;
/** The built-in map has no streets: nearer than this it would show nothing around the point. */
const CLOSE_ZOOM_BUILT_IN = 10;
const PADDING_PX = 48;

/** A map with points, those that lie close together as one group with their number. Areas may lie under them. */
export class PointMap extends StyledMap {
  #points = new Map<number, MapPoint>();
  #chosen: MapPoint | undefined;
  #areas = toAreaFeatures([], undefined);
  #areaBounds: Bounds[] = [];

  constructor({ onSelect, ...options }: PointMapOptions) {
    super(options);
    this.view.on("click", POINTS, ({ features = [] }) => {
      if (features[0]) onSelect(Number(features[0].id));
    });
    this.view.on("click", GROUPS, ({ features = [] }) => {
      if (features[0]) void this.#open(Number(features[0].properties.cluster_id));
    });
    this.pointAt([POINTS, GROUPS]);
  }

  setPoints(points: MapPoint[]) {
    this.#points = new Map(points.map((point) => [point.id, point]));
    this.#draw();
  }

  setAreas(areas: Area[]) {
    this.#areas = toAreaFeatures(areas, undefined);
    this.#areaBounds = areas.map(({ shape }) => boundsOf(shape)).filter((box) => box !== undefined);
    if (!this.isReady) return;
    void this.source("areas")?.setData(this.#areas.shapes);
    void this.source("area labels")?.setData(this.#areas.labels);
  }

  /** Marks a point, which need not be one of the others, and comes close to it. */
  choose(point: MapPoint | undefined) {
    this.#chosen = point;
    this.#draw();
    if (point) this.view.easeTo({ center: point.location, zoom: Math.max(this.view.getZoom(), this.#closeZoom()) });
  }

  /** Moves the map so that all points and areas are seen. */
  fit(isImmediate = false) {
    const bounds = joinBounds([...this.#pointBounds(), ...this.#areaBounds]);
    if (!bounds) return;
    this.view.fitBounds(bounds, { padding: PADDING_PX, maxZoom: this.#closeZoom(), animate: !isImmediate });
  }

  #pointBounds(): Bounds[] {
    const locations = [...this.#points.values()].map(({ location }) => location);
    if (locations.length === 0) return [];
    const lngs = locations.map(({ lng }) => lng);
    const lats = locations.map(({ lat }) => lat);
    // At most a few thousand points: these are arguments of one call.
    return [[Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]];
  }

  /** An area is something to see around a point, also on the built-in map. */
  #closeZoom() {
    return this.isBuiltIn && this.#areaBounds.length === 0 ? CLOSE_ZOOM_BUILT_IN : CLOSE_ZOOM;
  }

  protected addLayers() {
    addShownAreaLayers(this.view, this.theme, { areas: this.#areas.shapes, "area labels": this.#areas.labels });
    addPointLayers(this.view, this.theme);
    this.#draw();
  }

  #draw() {
    if (!this.isReady) return;
    const features = [...this.#points.values()].map(toFeature);
    void this.source(POINTS)?.setData({ type: "FeatureCollection", features });
    const chosen = this.#chosen ? [toFeature(this.#chosen)] : [];
    void this.source(CHOSEN)?.setData({ type: "FeatureCollection", features: chosen });
  }

  /** Comes as close as separates the members of a group. */
  async #open(group: number) {
    const source = this.source(POINTS);
    if (!source) return;
    const [zoom, [member]] = await Promise.all([
      source.getClusterExpansionZoom(group),
      source.getClusterLeaves(group, 1, 0),
    ]).catch(() => [0, []] as const); // the group has changed meanwhile
    if (member?.geometry.type !== "Point") return;
    const [lng = 0, lat = 0] = member.geometry.coordinates;
    this.view.easeTo({ center: [lng, lat], zoom: Math.min(zoom, MAX_GROUP_ZOOM + 1) });
  }
}

function toFeature({ id, location, label, isAlarming = false }: MapPoint): Feature<Point> {
  return {
    type: "Feature",
    id,
    geometry: { type: "Point", coordinates: [location.lng, location.lat] },
    properties: { label, isAlarming },
  };
}
