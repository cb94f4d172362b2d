import type { ChunkSummary } from "../counter/summary-store.ts";
import type { Identities } from "../point/identities.ts";
import type { ChunkHeader, NewChunk } from "../table/chunk/chunk.ts";

/** The state of trip detection after a chunk's points, by the state before them and the rules. All of them JSON. */
export type PredictedState = { from: string; rules: string; to: string };

/** What follows from a chunk's points, worked out while they are at hand. */
type DerivedValues = {
  identities: Identities;
  summarized: ChunkSummary;
  /** Null: it was not to be told. */
  predicted: PredictedState | null;
};

/** A chunk for the database. */
export type PreparedChunk = DerivedValues & { row: NewChunk };
/** A chunk that a flush has written. */
export type WrittenChunk = DerivedValues & { header: ChunkHeader; data: Uint8Array };
