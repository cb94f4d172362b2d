import { decodeIdentities } from "../point/codec.ts";
import { holdsPoint, type Identities } from "../point/identities.ts";
import type { Identity } from "../point/point.ts";

/** Which points the chunks hold, as far as it was needed lately: 16 bytes a point, bounded. */
export class ChunkIdentities {
  #chunks = new Map<number, Identities>();
  /** Of all of them together. */
  #points = 0;

  has(chunk: number) {
    return this.#chunks.has(chunk);
  }

  /** Undefined where the chunk's points are not at hand. */
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

  /** Not while a batch is being looked up: it may need more than the bound for a moment. */
  trim() {
    for (const chunk of this.#chunks.keys()) {
      if (this.#points <= MAX_POINTS) return;
      this.forget(chunk);
    }
  }
}

/** 2 MB a feed: some months of a point every half a minute. */
const MAX_POINTS = 128_000;
