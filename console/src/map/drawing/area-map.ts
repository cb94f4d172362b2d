import type { FeatureCollection } from "geojson";
import { StyledMap, type StyledMapOptions } from "../styled-map.ts";
import type { Sketch } from "./drawing.ts";
import {
  type Area,
  collect,
  EMPTY,
  toAreaFeatures,
  toFeatures,
  toGuide,
  toHandleFeatures,
  toPoints,
} from "./features.ts";
import type { Bounds } from "./geometry.ts";
import { AREA_LAYERS, type AreaData, addAreaLayers, type SourceName } from "./layers.ts";
import type { LngLat, VertexRef } from "./shape.ts";

export type AreaMapOptions = StyledMapOptions & {
  /** A press on an area. */
  onPick?(id: number): void;
};

const PADDING_PX = 56;
const MAX_FIT_ZOOM = 16;
const POSITION_ZOOM = 13;
const PICK_PX = 4;

/** A map with areas, and with a sketch that is being drawn. It keeps its data for the next style. */
export class AreaMap extends StyledMap {
  #data: AreaData = {};
  #options: AreaMapOptions;

  constructor(options: AreaMapOptions) {
    super(options);
    this.#options = options;
    if (options.onPick) this.#listen();
  }

  setAreas(areas: Area[], highlighted?: number) {
    const { shapes, labels } = toAreaFeatures(areas, highlighted);
    this.#send("areas", shapes);
    this.#send("area labels", labels);
  }

  setSketch(sketch: Sketch | undefined, selected: VertexRef | undefined, color: string) {
    this.#send("sketch", sketch ? collect(toFeatures(sketch.shape, { color: `#${color}` })) : EMPTY);
    this.#send("handles", sketch ? toHandleFeatures(sketch, selected) : EMPTY);
  }

  /** Shows where the next vertex would lead to. */
  setGuide(sketch: Sketch, pointer: LngLat | undefined) {
    this.#send("guide", toGuide(sketch, pointer));
  }

  setVisits(positions: LngLat[]) {
    this.#send("visits", toPoints(positions));
  }

  fit(bounds: Bounds | undefined, isImmediate = false) {
    if (!bounds) return;
    this.view.fitBounds(bounds, { padding: PADDING_PX, maxZoom: MAX_FIT_ZOOM, animate: !isImmediate });
  }

  showPosition([lng, lat]: LngLat) {
    this.view.easeTo({ center: [lng, lat], zoom: Math.max(this.view.getZoom(), POSITION_ZOOM) });
  }

  get center(): LngLat {
    const { lng, lat } = this.view.getCenter();
    return [lng, lat];
  }

  #send(name: SourceName, data: FeatureCollection) {
    this.#data[name] = data;
    if (this.isReady) void this.source(name)?.setData(data);
  }

  protected addLayers() {
    addAreaLayers(this.view, this.theme, this.#data);
  }

  #listen() {
    const find = ({ x, y }: { x: number; y: number }) => {
      if (!this.isReady) return undefined;
      const box: [[number, number], [number, number]] = [
        [x - PICK_PX, y - PICK_PX],
        [x + PICK_PX, y + PICK_PX],
      ];
      return this.view.queryRenderedFeatures(box, { layers: AREA_LAYERS })[0];
    };
    this.view.on("click", ({ point }) => {
      const feature = find(point);
      if (feature) this.#options.onPick?.(Number(feature.properties.id));
    });
    this.view.on("mousemove", ({ point }) => {
      this.view.getCanvas().style.cursor = find(point) ? "pointer" : "";
    });
  }
}
