import { decodeIdentities } from "../point/codec.ts";
import { holds, type Identities, identitiesOf } from "../point/identities.ts";
import type { Identity } from "../point/point.ts";

/** Which points the chunks hold, as far as it was needed lately: 16 bytes a point, bounded. */
export class ChunkIdentities {
  #chunks = new Map<number, Identities>();

  has(chunk: number) {
    return this.#chunks.has(chunk);
  }

  /** Undefined where the chunk's points are not at hand. */
  holds(chunk: number, point: Identity): boolean | undefined {
    const identities = this.#chunks.get(chunk);
    return identities && holds(identities, point);
  }

  learn(chunk: number, points: Uint8Array | Identity[]) {
    this.#chunks.set(chunk, points instanceof Uint8Array ? decodeIdentities(points) : identitiesOf(points));
  }

  forget(chunk: number) {
    this.#chunks.delete(chunk);
  }

  clear() {
    this.#chunks.clear();
  }

  /** Not while a batch is being looked up: it may need more than the bound for a moment. */
  trim() {
    let points = 0;
    for (const { time } of this.#chunks.values()) points += time.length;
    for (const [chunk, { time }] of this.#chunks) {
      if (points <= MOST_POINTS) return;
      points -= time.length;
      this.#chunks.delete(chunk);
    }
  }
}

/** 2 MB a feed: some months of a point every half a minute. */
const MOST_POINTS = 128_000;
