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
  /** The built-in base map could not be loaded: the subclass draws its layers on an empty one. */
  onBaseFailed(): void;
};

/** A map outside React. Each new style starts without layers: a subclass adds its own ones, with the data that it has kept. */
export abstract class StyledMap {
  readonly view: MapView;
  protected theme: Theme = "light";
  /** Whether the layers of the subclass are there, so that they take data. */
  protected isReady = false;
  /** The built-in map has no streets: from near it shows nothing around a thing. */
  protected isBuiltIn = false;

  constructor({ container, label, unit, onBaseFailed }: StyledMapOptions) {
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
      if ("sourceId" in event && String(event.sourceId) in BASE_SOURCES) onBaseFailed();
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
