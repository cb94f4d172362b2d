import { systemNow } from "#shared/time/clock.ts";
import { ChunkCatalogue } from "../chunk/catalogue.ts";
import { databaseOf } from "../chunk/database/open.ts";
import { pagesOf } from "../chunk/pages.ts";
import { type CutChunk, lastOf } from "../chunk/plan.ts";
import { type FeedReference, isStoredAlready, replaceChunks, selectChunkHeaders } from "../chunk/queries.ts";
import { readChunks } from "../chunk/read.ts";
import { removeChunks } from "../chunk/remove.ts";
import { TrackerMeter } from "../counter/tracker-meter.ts";
import type { GeoEnv } from "../env.ts";
import { logFailure } from "../log-failure.ts";
import { identitiesOf } from "../point/identities.ts";
import { comparePoints, type Identity } from "../point/point.ts";
import type { PointBatch } from "../point/point-batch.ts";
import type { ChunkHeader } from "../table/chunk/chunk.ts";
import { ChunkIdentities } from "./chunk-identities.ts";
import type { PredictedState, PreparedChunk, WrittenChunk } from "./prepared-chunk.ts";

/**
 * The tracker's chunks in the geo database and the archive, with their catalogue, counters and identities in the feed's
 * storage.
 */
export class StoredChunks {
  readonly catalogue: ChunkCatalogue;
  readonly meter: TrackerMeter;
  #kv: SyncKvStorage;
  #env: GeoEnv;
  #owner: () => FeedReference;
  #identities = new ChunkIdentities();
  #pausedUntil = 0;
  readonly #now: () => number;

  constructor(
    { sql, kv }: DurableObjectStorage,
    env: GeoEnv,
    owner: () => FeedReference,
    now: () => number = systemNow,
  ) {
    this.#now = now;
    this.#kv = kv;
    this.#env = env;
    this.#owner = owner;
    this.catalogue = new ChunkCatalogue(sql);
    this.meter = new TrackerMeter(sql, this.catalogue, (chunks) => this.read(chunks));
  }

  /** True for some seconds after the database failed. */
  get isPaused() {
    return this.#now() < this.#pausedUntil;
  }

  pause() {
    this.#pausedUntil = this.#now() + PAUSE_MS;
  }

  /** Reads the data of chunks page by page, as answers of the database are limited. */
  async read(chunks: ChunkHeader[]): Promise<Map<number, Uint8Array>> {
    const data = new Map<number, Uint8Array>();
    for (const page of pagesOf(chunks)) {
      const ids = page.map(({ id }) => id);
      for (const [id, bytes] of await readChunks(this.#db(), this.#env.ARCHIVE, this.#owner(), ids))
        data.set(id, bytes);
    }
    return data;
  }

  /** Loads the identities of the chunks that late points fall into, if the database answers. */
  async loadIdentities(sent: PointBatch) {
    for (let attempt = 0; attempt < 3; attempt++) {
      const last = this.catalogue.last();
      const { first } = sent;
      if (!first || !last || comparePoints(first, lastOf(last)) > 0) return;
      const missing = new Map<number, ChunkHeader>();
      for (const point of sent.points) {
        const chunk = this.catalogue.covering(point);
        if (chunk && !this.#identities.has(chunk.id)) missing.set(chunk.id, chunk);
      }
      if (missing.size === 0 || this.isPaused) return;
      try {
        // A flush may have replaced chunks during the read: the next attempt finds the new ones.
        for (const [id, data] of await this.read([...missing.values()])) this.#identities.put(id, data);
      } catch (thrown) {
        // The points are accepted unchecked: a merge drops duplicates later.
        logFailure(thrown);
        this.pause();
        return;
      }
    }
  }

  /** False also if the chunk's identities are not loaded. */
  holds(point: Identity): boolean {
    const last = this.catalogue.last();
    if (!last || comparePoints(point, lastOf(last)) > 0) return false;
    const chunk = this.catalogue.covering(point);
    return chunk !== null && this.#identities.holds(chunk.id, point) === true;
  }

  /** Not to be called while a batch is checked for duplicates. */
  trim() {
    this.#identities.trim();
  }

  prepare({ row, points, distances }: CutChunk, predicted: PredictedState | null): PreparedChunk {
    return { row, identities: identitiesOf(points), summarized: this.meter.summarize(points, distances), predicted };
  }

  /** Null if the database had stored this flush already, in an attempt whose answer was lost. */
  async write(removed: number[], pieces: PreparedChunk[]): Promise<WrittenChunk[] | null> {
    const flush = this.#flushNumber();
    let ids: number[];
    try {
      const rows = pieces.map(({ row }) => row);
      ids = await replaceChunks(this.#db(), this.#owner(), flush, removed, rows);
    } catch (thrown) {
      if (!isStoredAlready(thrown)) throw thrown;
      return null;
    }
    return pieces.map(({ row: { data, ...header }, ...others }, part) => {
      const id = ids[part];
      if (id === undefined) throw new Error("the database answered fewer chunks than it was given");
      return { header: { ...header, id, flush, part }, data, ...others };
    });
  }

  /** Advances the flush number; the catalogue does not have the new chunks yet. */
  noteWritten(removed: number[], added: WrittenChunk[]) {
    for (const id of removed) this.#identities.forget(id);
    for (const { header, identities } of added) this.#identities.put(header.id, identities);
    this.#kv.put("flush", this.#flushNumber() + 1);
  }

  replace(removed: number[], added: WrittenChunk[]) {
    this.catalogue.replace(
      removed,
      added.map(({ header }) => header),
    );
    this.meter.replace(removed, added);
  }

  /**
   * Forgets the oldest chunks that end before the moment, one batch at a time, and keeps their counter totals. The
   * database deletes them later. The caller prevents flushes meanwhile. Null if the database holds other chunks.
   */
  async forget(before: number): Promise<ChunkHeader[] | null> {
    const chunks = this.catalogue.all().slice(0, Math.min(MAX_FORGOTTEN_CHUNKS, this.catalogue.firstSince(before)));
    const totals = await this.meter.totalsThrough(chunks);
    if (!totals) return null;
    if (chunks.length === 0) return (await this.headers()).some(({ to }) => to < before) ? null : [];
    // No await below: all of it is stored in one transaction.
    const ids = chunks.map(({ id }) => id);
    this.#kv.put("forgotten_chunks", ids);
    this.meter.forget(chunks, totals);
    this.catalogue.forget(chunks);
    for (const id of ids) this.#identities.forget(id);
    return chunks;
  }

  /** Deletes forgotten chunks from the database and the archive. */
  async deleteForgotten() {
    const ids = this.#forgottenIds();
    if (ids.length === 0) return;
    await removeChunks(this.#db(), this.#env.ARCHIVE, this.#owner(), ids);
    this.#kv.delete("forgotten_chunks");
  }

  #forgottenIds(): number[] {
    return this.#kv.get<number[]>("forgotten_chunks") ?? [];
  }

  /** Headers of the chunks in the database, which may differ from the catalogue. */
  async headers(): Promise<ChunkHeader[]> {
    const forgotten = new Set(this.#forgottenIds());
    const headers = await selectChunkHeaders(this.#db(), this.#owner());
    return headers.filter(({ id }) => !forgotten.has(id));
  }

  reset(headers: ChunkHeader[]) {
    const flush = headers.reduce((highest, header) => Math.max(highest, header.flush), this.#flushNumber() - 1);
    this.#kv.put("flush", flush + 1);
    this.catalogue.reset(headers);
    this.meter.reset();
    this.#identities.clear();
  }

  #db() {
    return databaseOf(this.#env, this.#owner().tracker_id);
  }

  #flushNumber() {
    return this.#kv.get<number>("flush") ?? 1;
  }
}

const PAUSE_MS = 5_000;
/** Some 4 MB of points in one batch. */
const MAX_FORGOTTEN_CHUNKS = 200;
