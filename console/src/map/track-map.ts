import type { Feature, MultiLineString, Point } from "geojson";
import type { GeoJSONSource } from "maplibre-gl";
import { addIcons } from "./icons.ts";
import type { Mark } from "./mark.ts";
import { addMarkIcons } from "./mark-icons.ts";
import { StyledMap, type StyledMapOptions } from "./styled-map.ts";
import { addTrackLayers, MARKS, paintTracks, TRACK_TARGET, TRACKS, type TrackPaint, VEHICLES } from "./track-layers.ts";

export type Bounds = [west: number, south: number, east: number, north: number];
export type Location = { lng: number; lat: number };
export type VehicleMark = Feature<Point, { label: string; status: string; heading: number }>;
type Lines = Feature<MultiLineString, { vehicle: number }>;

export type TrackMapOptions = StyledMapOptions & {
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
export class TrackMap extends StyledMap {
  #options: TrackMapOptions;
  #paint: TrackPaint;
  #namesLines = false;
  /** Lines that were added, part by part, so that another style gets them in parts, too. */
  #parts: Lines[][] = [];
  #sentParts = 0;
  /** The source that is taking parts. */
  #receiver: GeoJSONSource | undefined;
  #marks: Mark[] = [];
  #vehicles: VehicleMark[] = [];

  constructor(options: TrackMapOptions) {
    super(options);
    this.#options = options;
    this.#paint = options.paint;
    this.#listen();
  }

  /** Removes all lines. */
  clear() {
    this.#parts = [];
    this.#sentParts = 0;
    if (this.isReady) void this.source(TRACKS)?.setData({ type: "FeatureCollection", features: [] });
  }

  addLines(lines: Lines[]) {
    if (lines.length === 0) return;
    this.#parts.push(lines);
    void this.#sendParts();
  }

  setMarks(marks: Mark[]) {
    this.#marks = marks;
    if (this.isReady) void this.source(MARKS)?.setData({ type: "FeatureCollection", features: marks });
  }

  setVehicles(vehicles: VehicleMark[]) {
    this.#vehicles = vehicles;
    if (this.isReady) void this.source(VEHICLES)?.setData({ type: "FeatureCollection", features: vehicles });
  }

  setPaint(paint: TrackPaint, namesLines: boolean) {
    this.#paint = paint;
    this.#namesLines = namesLines;
    if (this.isReady) paintTracks(this.view, paint, namesLines);
  }

  fit(bounds: Bounds, isImmediate = false) {
    this.view.fitBounds(bounds, { padding: PADDING_PX, maxZoom: this.#maxFitZoom(), animate: !isImmediate });
  }

  center({ lng, lat }: Location) {
    this.view.setCenter([lng, lat]);
  }

  /** Comes near, unless the map is nearer already. */
  approach({ lng, lat }: Location) {
    this.view.easeTo({ center: [lng, lat], zoom: Math.max(this.view.getZoom(), this.#maxFitZoom()) });
  }

  override remove() {
    this.isReady = false;
    super.remove();
  }

  #maxFitZoom() {
    return this.isBuiltIn ? MAX_FIT_ZOOM_BUILT_IN : MAX_FIT_ZOOM;
  }

  protected addLayers() {
    addIcons(this.view);
    addMarkIcons(this.view);
    addTrackLayers(this.view, this.theme, this.#paint, this.#namesLines);
    this.#sentParts = 0;
    void this.#sendParts();
    this.setMarks(this.#marks);
    this.setVehicles(this.#vehicles);
  }

  /** Sends each part once the map's worker has taken the one before: parts that wait would be sent as a single long one. */
  async #sendParts() {
    const source = this.isReady ? this.source(TRACKS) : undefined;
    if (!source || source === this.#receiver) return;
    this.#receiver = source;
    // Another style has another source, and gets all parts from the first on.
    while (this.isReady && this.source(TRACKS) === source) {
      const part = this.#parts[this.#sentParts];
      if (!part) break;
      this.#sentParts++;
      await source.updateData({ add: part });
    }
    if (this.#receiver === source) this.#receiver = undefined;
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
    this.pointAt([TRACK_TARGET, MARKS]);
    this.view.on("dragstart", onMoved);
  }
}
