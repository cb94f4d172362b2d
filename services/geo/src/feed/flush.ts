import type { Turns } from "#shared/background/turns.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import { type ChunkGroup, type CutChunk, cutChunks, planChunks } from "../chunk/plan.ts";
import { decodePoints } from "../point/codec.ts";
import { mergePoints } from "../point/point.ts";
import type { Alarm } from "./alarm.ts";
import { logged } from "./logged.ts";
import type { PointMemory } from "./point-memory.ts";
import type { StoredChunks } from "./stored-chunks.ts";
import type { Trips } from "./trips.ts";

/** What a flush moves points between, and what follows from that. */
type FlushedParts = { memory: PointMemory; stored: StoredChunks; trips: Trips; alarm: Alarm; turns: Turns };

/** Merges all open points into the chunks of the database. */
export class Flush {
  #ctx: DurableObjectState;
  #memory: PointMemory;
  #stored: StoredChunks;
  #trips: Trips;
  #alarm: Alarm;
  #turns: Turns;
  #isUnderWay = false;
  #failures = 0;

  constructor(ctx: DurableObjectState, { memory, stored, trips, alarm, turns }: FlushedParts) {
    this.#ctx = ctx;
    this.#memory = memory;
    this.#stored = stored;
    this.#trips = trips;
    this.#alarm = alarm;
    this.#turns = turns;
  }

  get isUnderWay() {
    return this.#isUnderWay;
  }

  /** Points are not open longer than this, also when no more come. */
  planFirst() {
    this.#alarm.wakeUpIn(OPEN_MS, "flush_at");
  }

  /** It throws where the database does not answer. */
  async run() {
    await this.#turns.take(() => this.#flush());
  }

  /** The alarm tries again what failed. */
  async runOrPause() {
    await this.run().then(
      () => {
        this.#failures = 0;
        if (this.#memory.isEmpty) this.#alarm.cancel("flush_at");
        else this.#alarm.wakeUpIn(OPEN_MS, "flush_at");
      },
      (thrown) => {
        logged(thrown);
        this.#alarm.wakeUpIn(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++), "flush_at");
      },
    );
  }

  runWhenMany() {
    if (this.#memory.open.length < MANY_POINTS || this.#isUnderWay || this.#stored.isResting) return;
    this.#isUnderWay = true;
    const attempt = this.run().catch((thrown) => {
      logged(thrown);
      // The alarm that the first open point has set tries again; so does the next batch, after a pause.
      this.#stored.rest();
    });
    this.#ctx.waitUntil(attempt);
  }

  async #flush() {
    this.#isUnderWay = true;
    try {
      const snapshot = this.#memory.snapshot();
      for (let left = snapshot.points; left.length > 0; ) {
        const groups = sliceOf(planChunks(this.#stored.catalogue.all(), left));
        // Otherwise the chunks were others than expected: they are planned for anew.
        if (await this.#store(groups)) left = left.slice(groups.reduce((sum, group) => sum + group.points.length, 0));
      }
      // One transaction, as nothing waits: the points leave the journal with all that followed from them stored.
      this.#trips.keepStale();
      this.#memory.drop(snapshot);
      this.#stored.trim();
    } finally {
      this.#isUnderWay = false;
    }
  }

  /** One batch that reads, one that writes. False when the database held other chunks than this feed thought. */
  async #store(groups: ChunkGroup[]): Promise<boolean> {
    const data = await this.#stored.read(groups.flatMap(({ chunk }) => chunk ?? []));
    const merged = merge(groups, data);
    if (!merged) return this.#reload();
    const { removed, pieces } = merged;
    if (pieces.length === 0) return true;

    const added = await this.#stored.write(removed, pieces);
    if (!added) return this.#reload();
    this.#stored.noteWritten(removed, added);
    this.#trips.settleOpen();
    this.#stored.replace(removed, added);
    this.#trips.keepStatesAfter(added);
    return true;
  }

  async #reload(): Promise<false> {
    await this.#trips.reload();
    return false;
  }
}

/** Null where a chunk was not found. A chunk that already holds all the points of its group stays as it is. */
function merge(groups: ChunkGroup[], data: Map<number, Uint8Array>): { removed: number[]; pieces: CutChunk[] } | null {
  const removed: number[] = [];
  const pieces: CutChunk[] = [];
  for (const { chunk, points } of groups) {
    const bytes = chunk && data.get(chunk.id);
    if (chunk && !bytes) return null;
    const stored = bytes ? decodePoints(bytes) : [];
    const merged = mergePoints(stored, points);
    if (merged.length === stored.length) continue;
    if (chunk) removed.push(chunk.id);
    pieces.push(...cutChunks(merged));
  }
  return { removed, pieces };
}

/** As many groups as one batch should hold in memory. */
function sliceOf(groups: ChunkGroup[]): ChunkGroup[] {
  let points = 0;
  const end = groups.findIndex((group, index) => {
    points += group.points.length;
    return index > 0 && (index >= SLICE_CHUNKS || points > SLICE_POINTS);
  });
  return end === -1 ? groups : groups.slice(0, end);
}

/** From here on open points do not wait for the alarm. */
const MANY_POINTS = 4096;
/** Open points are not left longer than this. */
const OPEN_MS = HOUR_MS;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
const SLICE_CHUNKS = 32;
const SLICE_POINTS = 16_384;
