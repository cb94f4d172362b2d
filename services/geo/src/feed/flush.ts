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

/** The chunks that `count` open points make, and the ids of the stored chunks that they replace. */
type PreparedFlush = { count: number; removed: number[]; pieces: PreparedChunk[] };

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

  /** Plans the flush of the first open points, for feeds that receive no more. */
  schedule() {
    this.#alarm.schedule(MAX_OPEN_MS, "flush_at");
  }

  /** Throws if the database does not answer. */
  async run() {
    await this.#mutex.run(() => this.#flush());
  }

  /** Flushes from the alarm; after a failure the alarm retries with growing delays. */
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
      // The planned alarm retries; so does the next batch of points, after a pause.
      this.#stored.pause();
    });
    this.#ctx.waitUntil(attempt);
  }

  async #flush() {
    this.#isUnderWay = true;
    try {
      const snapshot = this.#memory.snapshot();
      for (let done = 0; done < snapshot.open.count; ) done += await this.#store(snapshot.open, done);
      // One transaction, as nothing is awaited: points leave the journal together with the stored trips, counters and
      // state that were computed from them.
      this.#trips.store();
      this.#memory.drop(snapshot);
      this.#stored.trim();
    } finally {
      this.#isUnderWay = false;
    }
  }

  /**
   * Reads the chunks to be merged in one batch and writes the merged ones in another. Answers how many points it
   * stored: 0 if the database holds other chunks than this feed thought, which is then reloaded.
   */
  async #store(open: PackedPrefix, done: number): Promise<number> {
    const prepared = await this.#prepare(open, done);
    if (!prepared) return this.#reload();
    const { count, removed, pieces } = prepared;
    if (pieces.length === 0) return count;

    const added = await this.#stored.write(removed, pieces);
    if (!added) return this.#reload();
    this.#stored.noteWritten(removed, added);
    this.#trips.replaceChunks(removed, added);
    return count;
  }

  /**
   * Merges points with their chunks and keeps only encoded results: decoded points must not stay in memory while the
   * database lets many feeds wait.
   */
  async #prepare(open: PackedPrefix, done: number): Promise<PreparedFlush | null> {
    const groups = takeBatch(planChunks(this.#stored.catalogue.all(), open.readBatches(done, MAX_POINTS_PER_BATCH)));
    const data = await this.#stored.read(groups.flatMap(({ chunk }) => chunk ?? []));
    const merged = mergeGroups(groups, data);
    if (!merged) return null;
    const { removed, pieces } = merged;
    const predicted = this.#trips.processChunks(removed, pieces);
    return {
      count: groups.reduce((sum, { points }) => sum + points.length, 0),
      removed,
      pieces: pieces.map((piece, index) => this.#stored.prepare(piece, predicted[index] ?? null)),
    };
  }

  async #reload(): Promise<0> {
    await this.#trips.reload();
    return 0;
  }
}

/** Null if the database lacks one of the chunks. A chunk that already holds all points of its group stays as it is. */
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

/** The first groups, as many as one batch should hold in memory. */
function takeBatch(groups: ChunkGroup[]): ChunkGroup[] {
  return groups.slice(0, MAX_CHUNKS_PER_BATCH);
}

/** The number of open points that starts a flush before its alarm. */
const FULL_AT_POINTS = 4096;
const MAX_OPEN_MS = HOUR_MS;
const FIRST_RETRY_DELAY_MS = 5_000;
const MAX_RETRY_DELAY_MS = 300_000;
const MAX_CHUNKS_PER_BATCH = 32;
const MAX_POINTS_PER_BATCH = 16_384;
