import type { ChunkHeader } from "../table/chunk/chunk.ts";
import { MAX_BYTES_PER_PAGE } from "./queries.ts";

/** Splits chunks into pages of the size that one answer of the database and the memory may hold. */
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
