import type { Feature, MultiLineString, Point } from "geojson";
import { type GeoJSONSource, Map as MapView, ScaleControl, type StyleSpecification, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import type { Theme } from "./base-style.ts";
import { addIcons } from "./icons.ts";
import { addMarkIcons } from "./mark-icons.ts";
import { addTrackLayers, MARKS, paintTracks, TRACK_TARGET, TRACKS, type TrackPaint, VEHICLES } from "./track-layers.ts";
import { loadPlaces } from "./world.ts";

setWorkerUrl(workerUrl);

export type Bounds = [west: number, south: number, east: number, north: number];
export type Location = { lng: number; lat: number };
/** A stop, event or check-in. Of those that overlap, the one with the lower rank is shown. */
export type Mark = Feature<Point, { key: string; icon: string; label: string; rank: number }>;
export type VehicleMark = Feature<Point, { label: string; status: string; heading: number }>;
type Lines = Feature<MultiLineString, { vehicle: number }>;

export type TrackMapOptions = {
  container: HTMLElement;
  label: string;
  unit: "metric" | "imperial" | "nautical";
  paint: TrackPaint;
  /** The pointer is on the track of a vehicle, or left it (undefined). `isPressed`: it was pressed there. */
  onTrack(vehicle: number, location: Location, isPressed: boolean): void;
  onMark(key: string): void;
  /** The user moved the map by hand. */
  onMoved(): void;
};

const MAX_FIT_ZOOM = 15;
/** The built-in map has no streets: nearer than this it would show nothing around the tracks. */
const MAX_FIT_ZOOM_BUILT_IN = 11;
const PADDING_PX = 56;

/** The map of journeys, outside React: lines come part by part, and positions with every frame of a replay. */
export class TrackMap {
  readonly view: MapView;
  #options: TrackMapOptions;
  #paint: TrackPaint;
  #namesLines = false;
  #theme: Theme = "light";
  #isReady = false;
  #maxFitZoom = MAX_FIT_ZOOM;
  /** Lines that were added, part by part, so that another style gets them in parts, too. */
  #parts: Lines[][] = [];
  #sentParts = 0;
  #frame = 0;
  #marks: Mark[] = [];
  #vehicles: VehicleMark[] = [];

  constructor(options: TrackMapOptions) {
    this.#options = options;
    this.#paint = options.paint;
    const { container, label, unit } = options;
    this.view = new MapView({
      ...{ container, center: [10, 30], zoom: 1.2, maxZoom: 19, dragRotate: false, pitchWithRotate: false },
      ...{ attributionControl: { compact: true }, locale: { "Map.Title": label }, fadeDuration: 0 },
    });
    this.view.addControl(new ScaleControl({ unit }), "bottom-left");
    this.view.touchZoomRotate.disableRotation();
    this.view.on("style.load", () => this.#addLayers());
    this.#listen();
  }

  setStyle(style: StyleSpecification, theme: Theme) {
    this.#theme = theme;
    this.#maxFitZoom = "places" in style.sources ? MAX_FIT_ZOOM_BUILT_IN : MAX_FIT_ZOOM;
    this.#isReady = false;
    this.view.setStyle(style, { diff: false });
  }

  /** Removes all lines. */
  clear() {
    this.#parts = [];
    this.#sentParts = 0;
    if (this.#isReady) void this.#source(TRACKS)?.setData({ type: "FeatureCollection", features: [] });
  }

  addLines(lines: Lines[]) {
    if (lines.length === 0) return;
    this.#parts.push(lines);
    this.#sendNextPart();
  }

  setMarks(marks: Mark[]) {
    this.#marks = marks;
    if (this.#isReady) void this.#source(MARKS)?.setData({ type: "FeatureCollection", features: marks });
  }

  setVehicles(vehicles: VehicleMark[]) {
    this.#vehicles = vehicles;
    if (this.#isReady) void this.#source(VEHICLES)?.setData({ type: "FeatureCollection", features: vehicles });
  }

  setPaint(paint: TrackPaint, namesLines: boolean) {
    this.#paint = paint;
    this.#namesLines = namesLines;
    if (this.#isReady) paintTracks(this.view, paint, namesLines);
  }

  fit(bounds: Bounds, isImmediate = false) {
    this.view.fitBounds(bounds, { padding: PADDING_PX, maxZoom: this.#maxFitZoom, animate: !isImmediate });
  }

  center({ lng, lat }: Location) {
    this.view.setCenter([lng, lat]);
  }

  /** Comes near, unless the map is nearer already. */
  approach({ lng, lat }: Location) {
    this.view.easeTo({ center: [lng, lat], zoom: Math.max(this.view.getZoom(), this.#maxFitZoom) });
  }

  remove() {
    cancelAnimationFrame(this.#frame);
    this.view.remove();
  }

  #source(id: string) {
    return this.view.getSource<GeoJSONSource>(id);
  }

  #addLayers() {
    addIcons(this.view);
    addMarkIcons(this.view);
    addTrackLayers(this.view, this.#theme, this.#paint, this.#namesLines);
    this.#isReady = true;
    this.#sentParts = 0;
    this.#sendNextPart();
    this.setMarks(this.#marks);
    this.setVehicles(this.#vehicles);
    // A style of another host names its places itself.
    if (this.#source("places"))
      void loadPlaces()
        .then((places) => this.#source("places")?.setData(places))
        .catch(() => undefined);
  }

  /** Sends one part in each frame: all of them at once would stop the page for longer than a frame. */
  #sendNextPart() {
    if (!this.#isReady || this.#frame !== 0) return;
    const part = this.#parts[this.#sentParts];
    if (!part) return;
    this.#sentParts++;
    void this.#source(TRACKS)?.updateData({ add: part });
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#sendNextPart();
    });
  }

  #listen() {
    const { onTrack, onMark, onMoved } = this.#options;
    for (const kind of ["mousemove", "click"] as const) {
      this.view.on(kind, TRACK_TARGET, ({ features = [], lngLat }) => {
        const [feature] = features;
        if (feature) onTrack(Number(feature.properties.vehicle), lngLat, kind === "click");
      });
    }
    this.view.on("click", MARKS, ({ features = [] }) => {
      const [feature] = features;
      if (feature) onMark(String(feature.properties.key));
    });
    for (const layer of [TRACK_TARGET, MARKS]) {
      this.view.on("mouseenter", layer, () => (this.view.getCanvas().style.cursor = "pointer"));
      this.view.on("mouseleave", layer, () => (this.view.getCanvas().style.cursor = ""));
    }
    this.view.on("dragstart", onMoved);
  }
}
