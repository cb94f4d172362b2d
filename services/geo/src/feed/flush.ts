import type { Mutex } from "#shared/background/mutex.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import { type ChunkGroup, type CutChunk, cutChunks, planChunks } from "../chunk/plan.ts";
import type { PackedPrefix } from "../journal/packed-points.ts";
import type { PointMemory } from "../journal/point-memory.ts";
import type { PreparedChunk } from "../journal/prepared-chunk.ts";
import type { StoredChunks } from "../journal/stored-chunks.ts";
import { logFailure } from "../log-failure.ts";
import type { Alarm } from "../object/alarm.ts";
import { decodePoints } from "../point/codec.ts";
import { mergePoints } from "../point/point.ts";
import type { Trips } from "../trip/trips.ts";

/** Chunks for the next points, so many, and those that they replace. */
type PreparedFlush = { count: number; removed: number[]; pieces: PreparedChunk[] };

/** What a flush moves points between, and what follows from that. */
type FlushDependencies = { memory: PointMemory; stored: StoredChunks; trips: Trips; alarm: Alarm; mutex: Mutex };

/** Merges all open points into the chunks of the database. */
export class Flush {
  #ctx: DurableObjectState;
  #memory: PointMemory;
  #stored: StoredChunks;
  #trips: Trips;
  #alarm: Alarm;
  #mutex: Mutex;
  #isUnderWay = false;
  #failures = 0;

  constructor(ctx: DurableObjectState, { memory, stored, trips, alarm, mutex }: FlushDependencies) {
    this.#ctx = ctx;
    this.#memory = memory;
    this.#stored = stored;
    this.#trips = trips;
    this.#alarm = alarm;
    this.#mutex = mutex;
  }

  get isUnderWay() {
    return this.#isUnderWay;
  }

  /** Points are not open longer than this, also when no more come. */
  schedule() {
    this.#alarm.schedule(MAX_OPEN_MS, "flush_at");
  }

  /** It throws where the database does not answer. */
  async run() {
    await this.#mutex.run(() => this.#flush());
  }

  /** The alarm tries again what failed. */
  async runOrRetryLater() {
    await this.run().then(
      () => {
        this.#failures = 0;
        if (this.#memory.isEmpty) this.#alarm.cancel("flush_at");
        else this.#alarm.schedule(MAX_OPEN_MS, "flush_at");
      },
      (thrown) => {
        logFailure(thrown);
        this.#alarm.schedule(Math.min(MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS * 2 ** this.#failures++), "flush_at");
      },
    );
  }

  runWhenFull() {
    if (this.#memory.count < FULL_AT_POINTS || this.#isUnderWay || this.#stored.isPaused) return;
    this.#isUnderWay = true;
    const attempt = this.run().catch((thrown) => {
      logFailure(thrown);
      // The alarm that the first open point has set tries again; so does the next batch, after a pause.
      this.#stored.pause();
    });
    this.#ctx.waitUntil(attempt);
  }

  async #flush() {
    this.#isUnderWay = true;
    try {
      const snapshot = this.#memory.snapshot();
      for (let done = 0; done < snapshot.open.count; ) done += await this.#store(snapshot.open, done);
      // One transaction, as nothing waits: the points leave the journal with all that followed from them stored.
      this.#trips.store();
      this.#memory.drop(snapshot);
      this.#stored.trim();
    } finally {
      this.#isUnderWay = false;
    }
  }

  /**
   * One batch that reads, one that writes. Answers how many points it has stored; none where the database held other chunks
   * than this feed thought, which are planned for anew.
   */
  async #store(open: PackedPrefix, done: number): Promise<number> {
    const prepared = await this.#prepare(open, done);
    if (!prepared) return this.#reload();
    const { count, removed, pieces } = prepared;
    if (pieces.length === 0) return count;

    const added = await this.#stored.write(removed, pieces);
    if (!added) return this.#reload();
    this.#stored.noteWritten(removed, added);
    this.#trips.recomputeOpen();
    this.#stored.replace(removed, added);
    this.#trips.storeStates(added);
    return count;
  }

  /** No point itself outlives it: the database may let a feed wait, and many of them at a time. */
  async #prepare(open: PackedPrefix, done: number): Promise<PreparedFlush | null> {
    const groups = takeBatch(planChunks(this.#stored.catalogue.all(), open.readBatches(done, MAX_POINTS_PER_BATCH)));
    const data = await this.#stored.read(groups.flatMap(({ chunk }) => chunk ?? []));
    const merged = mergeGroups(groups, data);
    if (!merged) return null;
    const { removed, pieces } = merged;
    this.#trips.processChunks(pieces);
    const foreseen = this.#trips.predictStates(removed, pieces);
    return {
      count: groups.reduce((sum, { points }) => sum + points.length, 0),
      removed,
      pieces: pieces.map((piece, index) => this.#stored.prepare(piece, foreseen[index] ?? null)),
    };
  }

  async #reload(): Promise<0> {
    await this.#trips.reload();
    return 0;
  }
}

/** Null where a chunk was not found. A chunk that already holds all the points of its group stays as it is. */
function mergeGroups(
  groups: ChunkGroup[],
  data: Map<number, Uint8Array>,
): { removed: number[]; pieces: CutChunk[] } | null {
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
function takeBatch(groups: ChunkGroup[]): ChunkGroup[] {
  return groups.slice(0, MAX_CHUNKS_PER_BATCH);
}

/** From here on open points do not wait for the alarm. */
const FULL_AT_POINTS = 4096;
/** Open points are not left longer than this. */
const MAX_OPEN_MS = HOUR_MS;
const FIRST_RETRY_DELAY_MS = 5_000;
const MAX_RETRY_DELAY_MS = 300_000;
const MAX_CHUNKS_PER_BATCH = 32;
const MAX_POINTS_PER_BATCH = 16_384;
