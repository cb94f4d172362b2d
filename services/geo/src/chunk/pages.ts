import type { ChunkHeader } from "../table/chunk/chunk.ts";
import { PAGE_BYTES } from "./queries.ts";

/** As many chunks as one answer of the database may hold, and memory should. */
export function pagesOf(chunks: ChunkHeader[]): ChunkHeader[][] {
  const pages: ChunkHeader[][] = [];
  let bytes = PAGE_BYTES;
  for (const chunk of chunks) {
    bytes += chunk.bytes;
    if (bytes > PAGE_BYTES) {
      pages.push([]);
      bytes = chunk.bytes;
    }
    pages.at(-1)?.push(chunk);
  }
  return pages;
}
