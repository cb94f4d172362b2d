import type { FeatureCollection } from "geojson";
import { type GeoJSONSource, Map as MapView, ScaleControl, type StyleSpecification, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import type { Theme } from "../base-style.ts";
import { loadPlaces } from "../world.ts";
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
import { AREA_LAYERS, addAreaLayers, type SourceName } from "./layers.ts";
import type { LngLat, VertexRef } from "./shape.ts";

setWorkerUrl(workerUrl);

export type AreaMapOptions = {
  container: HTMLElement;
  label: string;
  unit: "metric" | "imperial" | "nautical";
  /** A press on an area. */
  onPick?(id: number): void;
};

const PADDING_PX = 56;
const MAX_FIT_ZOOM = 16;
const POSITION_ZOOM = 13;
const PICK_PX = 4;

/** A map with areas, and with a sketch that is being drawn. It keeps its data for the next style. */
export class AreaMap {
  readonly view: MapView;
  #data: Partial<Record<SourceName, FeatureCollection>> = {};
  #isReady = false;
  #theme: Theme = "light";
  #options: AreaMapOptions;

  constructor(options: AreaMapOptions) {
    this.#options = options;
    const { container, label, unit } = options;
    this.view = new MapView({
      ...{ container, center: [10, 30], zoom: 1.2, maxZoom: 19, dragRotate: false, pitchWithRotate: false },
      ...{ attributionControl: { compact: true }, locale: { "Map.Title": label }, fadeDuration: 0 },
    });
    this.view.addControl(new ScaleControl({ unit }), "bottom-left");
    this.view.touchZoomRotate.disableRotation();
    this.view.on("style.load", () => this.#addLayers());
    // Says that everything is drawn, to tests that take pictures.
    this.view.on("idle", () => (container.dataset.idle = ""));
    for (const event of ["dataloading", "movestart"] as const) this.view.on(event, () => delete container.dataset.idle);
    if (options.onPick) this.#listen();
  }

  setStyle(style: StyleSpecification, theme: Theme) {
    this.#theme = theme;
    this.#isReady = false;
    this.view.setStyle(style, { diff: false });
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

  remove() {
    this.view.remove();
  }

  #source(name: string) {
    return this.view.getSource<GeoJSONSource>(name);
  }

  #send(name: SourceName, data: FeatureCollection) {
    this.#data[name] = data;
    if (this.#isReady) void this.#source(name)?.setData(data);
  }

  #addLayers() {
    addAreaLayers(this.view, this.#theme, this.#data);
    this.#isReady = true;
    // A style of another host names its places itself.
    if (this.#source("places"))
      void loadPlaces()
        .then((places) => this.#source("places")?.setData(places))
        .catch(() => undefined);
  }

  #listen() {
    const find = ({ x, y }: { x: number; y: number }) => {
      if (!this.#isReady) return undefined;
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
