import type { ChunkSummary } from "../counter/meter-book.ts";
import type { Identities } from "../point/identities.ts";
import type { ChunkHeader, NewChunk } from "../table/chunk/chunk.ts";

/** The state of trip detection after a chunk's points, by the state before them and the rules. All of them JSON. */
export type ForeseenState = { from: string; by: string; to: string };

/** What follows from a chunk's points, worked out while they are at hand. */
type ChunkYield = {
  identities: Identities;
  metered: ChunkSummary;
  /** Null: it was not to be told. */
  foreseen: ForeseenState | null;
};

/** A chunk for the database. */
export type PreparedChunk = ChunkYield & { row: NewChunk };
/** A chunk that a flush has written. */
export type WrittenChunk = ChunkYield & { header: ChunkHeader; data: Uint8Array };
