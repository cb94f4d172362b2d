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

/** The tracker's chunks in the geo database and its archive, and all that the feed keeps of them itself. */
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

  /** The database failed a moment ago and is left alone. */
  get isPaused() {
    return this.#now() < this.#pausedUntil;
  }

  pause() {
    this.#pausedUntil = this.#now() + PAUSE_MS;
  }

  /** In pages, as an answer of the database is limited. */
  async read(chunks: ChunkHeader[]): Promise<Map<number, Uint8Array>> {
    const data = new Map<number, Uint8Array>();
    for (const page of pagesOf(chunks)) {
      const ids = page.map(({ id }) => id);
      for (const [id, bytes] of await readChunks(this.#db(), this.#env.ARCHIVE, this.#owner(), ids))
        data.set(id, bytes);
    }
    return data;
  }

  /** Makes sure that for every late point the points of its chunk are at hand, if the database answers. */
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
        // A flush may replace chunks meanwhile: then the next round looks again.
        for (const [id, data] of await this.read([...missing.values()])) this.#identities.put(id, data);
      } catch (thrown) {
        // Accepted without knowing: what is a duplicate is dropped when it is merged.
        logFailure(thrown);
        this.pause();
        return;
      }
    }
  }

  /** False also where the chunk's points are not at hand. */
  holds(point: Identity): boolean {
    const last = this.catalogue.last();
    if (!last || comparePoints(point, lastOf(last)) > 0) return false;
    const chunk = this.catalogue.covering(point);
    return chunk !== null && this.#identities.holds(chunk.id, point) === true;
  }

  /** Not while a batch is being looked up. */
  trim() {
    this.#identities.trim();
  }

  prepare({ row, points, distances }: CutChunk, predicted: PredictedState | null): PreparedChunk {
    return { row, identities: identitiesOf(points), summarized: this.meter.summarize(points, distances), predicted };
  }

  /** Null where an attempt of which no answer came back was stored after all. */
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

  /** The flush counts from now on; its chunks are not in the catalogue yet. */
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
   * The oldest chunks that end before the moment, as many as are removed at a time: the feed forgets them first, so that it
   * counts on with what had run up in them, whenever the database loses them. Nothing may replace chunks meanwhile.
   * Null where it holds other chunks than this feed thought.
   */
  async forget(before: number): Promise<ChunkHeader[] | null> {
    const chunks = this.catalogue.all().slice(0, Math.min(MAX_FORGOTTEN_CHUNKS, this.catalogue.firstSince(before)));
    const totals = await this.meter.totalsThrough(chunks);
    if (!totals) return null;
    if (chunks.length === 0) return (await this.headers()).some(({ to }) => to < before) ? null : [];
    // From here on nothing waits: all of it is stored, or nothing.
    const ids = chunks.map(({ id }) => id);
    this.#kv.put("forgotten_chunks", ids);
    this.meter.forget(chunks, totals);
    this.catalogue.forget(chunks);
    for (const id of ids) this.#identities.forget(id);
    return chunks;
  }

  /** What is forgotten leaves the database too. */
  async deleteForgotten() {
    const ids = this.#forgottenIds();
    if (ids.length === 0) return;
    await removeChunks(this.#db(), this.#env.ARCHIVE, this.#owner(), ids);
    this.#kv.delete("forgotten_chunks");
  }

  #forgottenIds(): number[] {
    return this.#kv.get<number[]>("forgotten_chunks") ?? [];
  }

  /** What the database holds, which may be other chunks than those of the catalogue. */
  async headers(): Promise<ChunkHeader[]> {
    const forgotten = new Set(this.#forgottenIds());
    const headers = await selectChunkHeaders(this.#db(), this.#owner());
    return headers.filter(({ id }) => !forgotten.has(id));
  }

  reset(headers: ChunkHeader[]) {
    const flush = headers.reduce((most, header) => Math.max(most, header.flush), this.#flushNumber() - 1);
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
/** Some 4 MB of points. */
const MAX_FORGOTTEN_CHUNKS = 200;
