import { type GeoJSONSource, Map as MapView, ScaleControl, type StyleSpecification, setWorkerUrl } from "maplibre-gl";
import { BASE_SOURCES, type Theme } from "./base/style.ts";
import workerUrl from "./base/worker.ts?worker&url";

setWorkerUrl(workerUrl);

export type ScaleUnit = "metric" | "imperial" | "nautical";
export type StyledMapOptions = {
  container: HTMLElement;
  /** Names the map for people who cannot see it. */
  label: string;
  unit: ScaleUnit;
  /** The built-in base map could not be loaded, so that the layers of the subclass are on an empty one; or it could again. */
  onBase(hasFailed: boolean): void;
};

/** A map outside React. Each new style starts without layers: a subclass adds its own ones, with the data that it has kept. */
export abstract class StyledMap {
  readonly view: MapView;
  protected theme: Theme = "light";
  /** Whether the layers of the subclass are there, so that they take data. */
  protected isReady = false;
  /** The built-in map has no streets: from near it shows nothing around a thing. */
  protected isBuiltIn = false;
  /** Sources of the built-in base map whose last tile could not be made. */
  #failedSources = new Set<string>();

  constructor({ container, label, unit, onBase }: StyledMapOptions) {
    this.view = new MapView({
      ...{ container, center: [10, 30], zoom: 1.2, maxZoom: 19, dragRotate: false, pitchWithRotate: false },
      ...{ attributionControl: { compact: true }, locale: { "Map.Title": label }, fadeDuration: 0 },
    });
    this.view.addControl(new ScaleControl({ unit }), "bottom-left");
    this.view.touchZoomRotate.disableRotation();
    this.view.on("style.load", () => this.#start());
    this.view.on("error", (event) => {
      // The map logs its errors itself only if nobody listens.
      console.error(event.error);
      if (!("sourceId" in event && String(event.sourceId) in BASE_SOURCES)) return;
      this.#failedSources.add(String(event.sourceId));
      onBase(true);
    });
    this.view.on("sourcedata", ({ sourceId, tile }) => {
      if (!tile || !this.#failedSources.delete(sourceId)) return;
      // The map does not ask for tiles again that failed before this one.
      this.view.refreshTiles(sourceId);
      onBase(this.#failedSources.size > 0);
    });
    // Says that everything is drawn, to tests that take pictures.
    this.view.on("idle", () => (container.dataset.idle = ""));
    for (const event of ["dataloading", "movestart"] as const) this.view.on(event, () => delete container.dataset.idle);
  }

  /** Adds sources and layers to the style that was loaded, and sends them the data. */
  protected abstract addLayers(): void;

  setStyle(style: StyleSpecification, theme: Theme) {
    this.theme = theme;
    this.isBuiltIn = Object.keys(BASE_SOURCES).every((source) => source in style.sources);
    this.isReady = false;
    this.#failedSources.clear();
    this.view.setStyle(style, { diff: false });
  }

  remove() {
    this.view.remove();
  }

  protected source(id: string) {
    return this.view.getSource<GeoJSONSource>(id);
  }

  /** Shows on these layers that their things can be pressed. */
  protected pointAt(layers: string[]) {
    for (const layer of layers) {
      this.view.on("mouseenter", layer, () => (this.view.getCanvas().style.cursor = "pointer"));
      this.view.on("mouseleave", layer, () => (this.view.getCanvas().style.cursor = ""));
    }
  }

  #start() {
    this.isReady = true;
    this.addLayers();
  }
}
