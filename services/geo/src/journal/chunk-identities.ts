import { decodeIdentities } from "../point/codec.ts";
import { holdsPoint, type Identities } from "../point/identities.ts";
import type { Identity } from "../point/point.ts";

/** Identities of points of the chunks used lately: 16 bytes a point, bounded by `MAX_POINTS`. */
export class ChunkIdentities {
  #chunks = new Map<number, Identities>();
  /** Points of all chunks together. */
  #points = 0;

  has(chunk: number) {
    return this.#chunks.has(chunk);
  }

  /** Undefined if the chunk's identities are not loaded. */
  holds(chunk: number, point: Identity): boolean | undefined {
    const identities = this.#chunks.get(chunk);
    return identities && holdsPoint(identities, point);
  }

  put(chunk: number, points: Uint8Array | Identities) {
    this.forget(chunk);
    const identities = points instanceof Uint8Array ? decodeIdentities(points) : points;
    this.#chunks.set(chunk, identities);
    this.#points += identities.time.length;
  }

  forget(chunk: number) {
    this.#points -= this.#chunks.get(chunk)?.time.length ?? 0;
    this.#chunks.delete(chunk);
  }

  clear() {
    this.#chunks.clear();
    this.#points = 0;
  }

  /** Drops the chunks loaded first. Not to be called while a batch is checked, which may need more than the bound. */
  trim() {
    for (const chunk of this.#chunks.keys()) {
      if (this.#points <= MAX_POINTS) return;
      this.forget(chunk);
    }
  }
}

/** 2 MB a feed: some months of one point every 30 seconds. */
const MAX_POINTS = 128_000;
