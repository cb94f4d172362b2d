import type { LiveStates } from "../live/live-states.ts";
import type { LiveObject } from "../live/objects.ts";
import { DrawnObjects } from "./drawn-objects.ts";
import { addIcons } from "./icons.ts";
import { addObjectLayers, CLUSTERS, MAX_CLUSTER_ZOOM, OBJECTS, SELECTED, toFeature } from "./object-layers.ts";
import { StyledMap, type StyledMapOptions } from "./styled-map.ts";

type Bounds = [west: number, south: number, east: number, north: number];
export type ObjectMapOptions = StyledMapOptions & {
  states: LiveStates;
  onSelect(id: number): void;
  /** The members of a cluster that was pressed. */
  onCluster(ids: number[]): void;
  /** The user moved the map by hand. */
  onMoved(): void;
};

const CLOSE_ZOOM = 14;
/** The built-in map has no streets: nearer than this it would show nothing around the object. */
const CLOSE_ZOOM_BUILT_IN = 10;
const PADDING_PX = 64;

/** The map with its objects, outside React: changed objects are sent to it once per animation frame. */
export class ObjectMap extends StyledMap {
  #options: ObjectMapOptions;
  #bySource = new Map<number, LiveObject>();
  #drawn = new DrawnObjects();
  #selected: LiveObject | undefined;
  #isFollowing = false;
  #stop: () => void;

  constructor(options: ObjectMapOptions) {
    super(options);
    this.#options = options;
    this.#listen();
    this.#stop = options.states.onChange((changed) => this.#update(changed));
  }

  /** Shows these objects and no others. */
  setObjects(objects: LiveObject[]) {
    this.#bySource = new Map(objects.map((object) => [object.sourceId, object]));
    if (this.isReady) this.#sendAll();
  }

  select(object: LiveObject | undefined, isFollowing: boolean) {
    const isOther = object?.id !== this.#selected?.id;
    const follows = isFollowing && !this.#isFollowing;
    this.#selected = object;
    this.#isFollowing = isFollowing;
    this.#drawSelected();
    const location = this.#selectedLocation();
    if (location && (isOther || follows))
      this.view.easeTo({ center: location, zoom: Math.max(this.view.getZoom(), this.#closeZoom()) });
  }

  /** Moves the map so that all these objects are seen. */
  fit(objects: LiveObject[], isImmediate = false) {
    const locations = objects.flatMap((object) => {
      const gps = this.#options.states.get(object.sourceId)?.gps;
      return gps?.updated ? [gps.location] : [];
    });
    if (locations.length === 0) return;
    const lngs = locations.map(({ lng }) => lng);
    const lats = locations.map(({ lat }) => lat);
    const bounds: Bounds = [least(lngs), least(lats), -least(lngs.map(negate)), -least(lats.map(negate))];
    this.view.fitBounds(bounds, { padding: PADDING_PX, maxZoom: this.#closeZoom(), animate: !isImmediate });
  }

  override remove() {
    this.#stop();
    super.remove();
  }

  #closeZoom() {
    return this.isBuiltIn ? CLOSE_ZOOM_BUILT_IN : CLOSE_ZOOM;
  }

  protected addLayers() {
    addIcons(this.view);
    addObjectLayers(this.view, this.theme);
    this.#sendAll();
    this.#drawSelected();
  }

  #sendAll() {
    const { states } = this.#options;
    const features = [...this.#bySource.values()].flatMap((object) => toFeature(object, states) ?? []);
    this.#drawn.replace(features);
    void this.source(OBJECTS)?.setData({ type: "FeatureCollection", features });
  }

  #update(changed: ReadonlySet<number>) {
    if (!this.isReady) return;
    const { states } = this.#options;
    const zoom = this.view.getZoom();
    const add = [];
    const remove = [];
    for (const sourceId of changed) {
      const object = this.#bySource.get(sourceId);
      if (!object || this.#drawn.looksTheSame(object, states, zoom)) continue;
      const feature = toFeature(object, states);
      if (feature) add.push(feature);
      else if (this.#drawn.remove(object.id)) remove.push(object.id);
    }
    for (const feature of add) this.#drawn.add(feature);
    if (add.length + remove.length > 0) void this.source(OBJECTS)?.updateData({ add, remove });
    if (this.#selected && changed.has(this.#selected.sourceId)) {
      this.#drawSelected();
      const location = this.#selectedLocation();
      if (this.#isFollowing && location) this.view.easeTo({ center: location });
    }
  }

  #selectedLocation() {
    const gps = this.#selected && this.#options.states.get(this.#selected.sourceId)?.gps;
    return gps?.updated ? gps.location : undefined;
  }

  #drawSelected() {
    if (!this.isReady) return;
    const feature = this.#selected && toFeature(this.#selected, this.#options.states);
    void this.source(SELECTED)?.setData({ type: "FeatureCollection", features: feature ? [feature] : [] });
  }

  #listen() {
    const { onSelect, onMoved } = this.#options;
    this.view.on("click", OBJECTS, ({ features = [] }) => {
      const [feature] = features;
      if (feature) onSelect(Number(feature.id));
    });
    this.view.on("click", CLUSTERS, ({ features = [] }) => {
      const [cluster] = features;
      if (cluster) void this.#open(Number(cluster.properties.cluster_id), Number(cluster.properties.point_count));
    });
    this.pointAt([OBJECTS, CLUSTERS]);
    this.view.on("dragstart", onMoved);
    this.view.on("zoomend", () => this.#update(this.#drawn.takeOutdated()));
  }

  /** Shows the members in the list, and comes closer where that separates them. */
  async #open(cluster: number, size: number) {
    const source = this.source(OBJECTS);
    if (!source) return;
    const [leaves, zoom] = await Promise.all([
      source.getClusterLeaves(cluster, size, 0),
      source.getClusterExpansionZoom(cluster),
    ]).catch(() => [[], 0] as const); // the cluster has changed meanwhile
    const ids = new Set(leaves.map(({ id }) => Number(id)));
    if (ids.size === 0) return;
    this.#options.onCluster([...ids]);
    if (zoom <= MAX_CLUSTER_ZOOM) this.fit([...this.#bySource.values()].filter(({ id }) => ids.has(id)));
  }
}

function least(values: number[]): number {
  return values.reduce((one, other) => Math.min(one, other));
}

function negate(value: number): number {
  return -value;
}
