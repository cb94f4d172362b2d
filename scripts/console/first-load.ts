import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { BUILT_CONSOLE } from "./build-console.ts";

/** A chunk in Vite's manifest: its file with what it always loads. */
type Chunk = { file: string; imports?: string[]; css?: string[] };

/** The frame, the live map as the start page, and English texts. The map itself is a chunk that the page loads later. */
const FIRST_CHUNKS = ["index.html", "src/overview/page.tsx", "src/text/en.ts"];
const KIBIBYTE = 1024;

/** KiB with gzip of the scripts and styles that a browser loads before the built console's first page can be used. */
export async function firstLoadKib(): Promise<number> {
  const manifest: Record<string, Chunk> = JSON.parse(
    await readFile(join(BUILT_CONSOLE, ".vite", "manifest.json"), "utf8"),
  );
  const names = new Set(FIRST_CHUNKS);
  const files = new Set<string>();
  for (const name of names) {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The console has no chunk ${name}.`);
    for (const imported of chunk.imports ?? []) names.add(imported);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  }
  const sizes = await Promise.all(
    [...files].map(async (file) => gzipSync(await readFile(join(BUILT_CONSOLE, file))).byteLength),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / KIBIBYTE;
}
