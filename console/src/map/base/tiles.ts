import { GeoJSONVT } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import type { GeoJSON } from "geojson";
import { BASE_SOURCES, type BaseSource } from "./style.ts";
import { loadPlaces, loadWorld } from "./world.ts";

/** Units of a tile along each side, as many as the map has: it would convert others. */
const EXTENT = 8_192;
const UNITS_PER_PIXEL = EXTENT / 512;
/** How far lines and names reach into the tiles around. */
const BUFFER_PX = 128;
const TOLERANCE_PX = 0.05;

type Layers = Record<string, GeoJSONVT>;

const loaded = new Map<BaseSource, Promise<Layers>>();

/** Answers a tile `[zoom, x, y]` of the built-in base map; the files that it is cut from are loaded once. */
export async function readTile(source: BaseSource, place: [number, number, number]): Promise<ArrayBuffer> {
  const layers = Object.entries(await loadLayers(source));
  const tiles = layers.flatMap(([name, index]) => {
    const tile = index.getTile(...place);
    return tile ? [[name, tile] as const] : [];
  });
  return fromGeojsonVt(Object.fromEntries(tiles), { version: 2, extent: EXTENT }).slice().buffer;
}

function loadLayers(source: BaseSource): Promise<Layers> {
  const known = loaded.get(source);
  if (known) return known;
  const content = source === "world" ? loadWorld() : loadPlaces();
  const layers = content.then((content) =>
    Object.fromEntries(Object.entries(content).map(([name, data]) => [name, indexOf(source, data)])),
  );
  loaded.set(source, layers);
  // The next tile tries again.
  layers.catch(() => loaded.delete(source));
  return layers;
}

function indexOf(source: BaseSource, data: GeoJSON): GeoJSONVT {
  return new GeoJSONVT(data, {
    maxZoom: BASE_SOURCES[source].maxzoom,
    extent: EXTENT,
    buffer: BUFFER_PX * UNITS_PER_PIXEL,
    tolerance: TOLERANCE_PX * UNITS_PER_PIXEL,
  });
}
