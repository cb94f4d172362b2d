import { cp, readdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../../../scripts/workers.ts";

const COARSE_COASTS = createRequire(import.meta.url).resolve("world-atlas/countries-110m.json");

/**
 * Copies the built static files to a folder, with coarse coasts and no towns: to prepare the whole base map takes a page
 * seconds of processor time. The browser could replace the answers as well, but then it caches nothing.
 */
export async function writeSimpleMap(folder: string): Promise<string> {
  await cp(join(ROOT, ".build", "static"), folder, { recursive: true });
  const assets = join(folder, "console", "assets");
  for (const name of await readdir(assets)) {
    if (/^countries-.*\.json$/.test(name)) await cp(COARSE_COASTS, join(assets, name));
    if (/^places-.*\.json$/.test(name)) await writeFile(join(assets, name), "[]");
  }
  return folder;
}
