import type { ChunkSummary } from "../counter/summary-store.ts";
import type { Identities } from "../point/identities.ts";
import type { ChunkHeader, NewChunk } from "../table/chunk/chunk.ts";

/**
 * The state `to` of trip detection after a chunk's points, valid if the state before it is `from` and the settings are
 * `rules`. All are JSON.
 */
export type PredictedState = { from: string; rules: string; to: string };

/** Values derived from a chunk's points while a flush has them decoded. */
type DerivedValues = {
  identities: Identities;
  summarized: ChunkSummary;
  /** Null: the state before the chunk was unknown. */
  predicted: PredictedState | null;
};

export type PreparedChunk = DerivedValues & { row: NewChunk };
export type WrittenChunk = DerivedValues & { header: ChunkHeader; data: Uint8Array };
