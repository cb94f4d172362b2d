import type { ChunkHeader } from "../table/chunk/chunk.ts";
import { MAX_BYTES_PER_PAGE } from "./queries.ts";

/** As many chunks as one answer of the database may hold, and memory should. */
export function pagesOf(chunks: ChunkHeader[]): ChunkHeader[][] {
  const pages: ChunkHeader[][] = [];
  let bytes = MAX_BYTES_PER_PAGE;
  for (const chunk of chunks) {
    bytes += chunk.bytes;
    if (bytes > MAX_BYTES_PER_PAGE) {
      pages.push([]);
      bytes = chunk.bytes;
    }
    pages.at(-1)?.push(chunk);
  }
  return pages;
}
