// The map's worker, which also makes the tiles of the built-in base map: the thread of the page has no part in it.
import "maplibre-gl/dist/maplibre-gl-worker.mjs";
import type { WorkerGlobalScopeInterface } from "maplibre-gl";
import { BASE_SOURCES, type BaseSource, PROTOCOL } from "./style.ts";
import { readTile } from "./tiles.ts";

declare const self: WorkerGlobalScopeInterface;

self.addProtocol(PROTOCOL, async ({ url }) => {
  const [source = "", ...place] = url.slice(`${PROTOCOL}://`.length).split("/");
  const [zoom = 0, x = 0, y = 0] = place.map(Number);
  if (!isBaseSource(source)) throw new Error(`${url} is no tile of the base map`);
  return { data: await readTile(source, [zoom, x, y]) };
});

function isBaseSource(name: string): name is BaseSource {
  return name in BASE_SOURCES;
}
