import type { TimeRange } from "#shared/contract/tracker/stored-range.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { parseState } from "../chunk/catalogue.ts";
import { pagesOf } from "../chunk/pages.ts";
import { type CutChunk, lastOf } from "../chunk/plan.ts";
import type { GeoEnv } from "../env.ts";
import type { AddedPoints, PointMemory } from "../journal/point-memory.ts";
import type { PredictedState, WrittenChunk } from "../journal/prepared-chunk.ts";
import type { StoredChunks } from "../journal/stored-chunks.ts";
import { ALL_TIME, widenRange } from "../object/time-range.ts";
import {
  DEFAULT_TRIP_SETTINGS,
  type Movement,
  type NumberedTrip,
  type Trip,
  type TripRules,
  type TripSettings,
  type TripState,
  tripStart,
} from "../object/trip.ts";
import { decodePoints } from "../point/codec.ts";
import { measureStep } from "../point/measured.ts";
import { comparePoints, mergePoints, type Point } from "../point/point.ts";
import type { ChunkHeader } from "../table/chunk/chunk.ts";
import { CurrentTrip } from "./current-trip.ts";
import { advanceTrips, runningTrip } from "./detect.ts";
import { TripStore } from "./trip-store.ts";

/**
 * The tracker's trips. Points in order continue them; late points mark a time range as stale, in which trips are
 * recomputed.
 */
export class Trips {
  #kv: SyncKvStorage;
  #env: GeoEnv;
  #stored: StoredChunks;
  #memory: PointMemory;
  #store: TripStore;
  #current: CurrentTrip;
  #rules: TripRules;
  /** True until the chunks before the open points are loaded: until then trips of open points are not stored. */
  #lacksOpenTrips = false;
  /** The time range in which late points may have changed trips since the last recomputation. */
  #stale: TimeRange | null;
  #isStaleStored: boolean;

  constructor(storage: DurableObjectStorage, env: GeoEnv, stored: StoredChunks, memory: PointMemory) {
    this.#kv = storage.kv;
    this.#env = env;
    this.#stored = stored;
    this.#memory = memory;
    this.#store = new TripStore(storage);
    this.#current = new CurrentTrip(memory, this.#store, () => this.rules);
    this.#rules = this.#rulesFor(storage.kv.get<TripSettings>("settings") ?? DEFAULT_TRIP_SETTINGS);
    this.#stale = storage.kv.get<TimeRange>("stale") ?? null;
    this.#isStaleStored = this.#stale !== null;
  }

  get settings(): TripSettings {
    const { gapMs, ...settings } = this.#rules;
    return settings;
  }

  /** Changes the settings, which makes all trips stale. */
  setSettings(settings: TripSettings) {
    this.#current.catchUp();
    this.#kv.put("settings", settings);
    this.#rules = this.#rulesFor(settings);
    this.#markStale(ALL_TIME);
  }

  /** Called after a restart, once the open points are in memory. */
  restore() {
    const [first] = this.#memory.open;
    const last = this.#stored.catalogue.last();
    // Trips may lack these late points: the restart has lost that information.
    if (first && last && comparePoints(first, lastOf(last)) <= 0) {
      this.#stale = widenRange(this.#stale, first.time, Number.POSITIVE_INFINITY);
    }
    this.#processOpenPoints();
  }

  /** Called for points that were added to the memory. */
  noteAdded({ late, inOrder }: AddedPoints) {
    if (late) this.#stale = widenRange(this.#stale, late.from, late.to);
    if (inOrder > 0) this.#current.noteNewPoints();
  }

  /** Trips that touch [from, to]; within the stale range they may be outdated. */
  touching(from: number, to: number): NumberedTrip[] {
    const underWay = this.#current.trip();
    const ended = this.#store.touching(from, to).filter(({ id }) => id !== underWay?.id);
    const touches = underWay && underWay.start_time <= to && underWay.end_time >= from;
    return touches ? [...ended, underWay] : ended;
  }

  byIds(ids: number[]): NumberedTrip[] {
    const underWay = this.#current.trip();
    return this.#store.byIds(ids).map((trip) => (underWay && trip.id === underWay.id ? underWay : trip));
  }

  movement(now: number): Movement | null {
    return this.#current.movement(now);
  }

  lastMoved(): number | null {
    return this.#current.lastMoved();
  }

  /** Recomputes trips from the start of the stale range until their states equal the stored ones. */
  async recompute() {
    while (this.#stale) {
      this.#current.catchUp();
      if (this.#isWithinOpenPoints(this.#stale)) {
        this.#processOpenPoints(true);
        return;
      }
      const first = this.#stored.catalogue.firstSince(this.#stale.from);
      const page = firstPageUntil(this.#stored.catalogue.all().slice(first), this.#stale.to);
      const data = await this.#stored.read(page);
      if (page.some(({ id }) => !data.has(id))) await this.reload();
      // A later point that arrived during the read may have moved the start of the range.
      else if (first === this.#stored.catalogue.firstSince(this.#stale.from)) this.#recomputePage(first, page, data);
    }
  }

  /** Reads the catalogue again after the database turned out to hold other chunks. */
  async reload() {
    const headers = await this.#stored.headers();
    this.#stored.reset(headers);
    this.#markStale(ALL_TIME);
  }

  /**
   * Evaluates chunks that a flush has decoded and is about to write; answers the states after them, which hold unless a
   * late point arrives before.
   */
  processChunks(removed: number[], pieces: CutChunk[]): PredictedState[] {
    // Otherwise `recompute` evaluates them later.
    if (!this.#stale) this.#current.processChunks(pieces);
    return this.#predictStates(removed, pieces);
  }

  /** Puts written chunks into the catalogue, with the states after them. */
  replaceChunks(removed: number[], added: WrittenChunk[]) {
    // Before the points leave the open ones: late points that are all open need no reading of chunks.
    if (this.#stale && this.#isWithinOpenPoints(this.#stale)) this.#processOpenPoints(true);
    this.#stored.replace(removed, added);
    for (const chunk of added) this.#storeState(chunk);
    this.#storeStale();
  }

  #predictStates(removed: number[], pieces: CutChunk[]): PredictedState[] {
    const { catalogue } = this.#stored;
    const [first] = pieces;
    const before = first && catalogue.all().findLast(({ id, to }) => to <= first.row.from && !removed.includes(id));
    const rules = this.rules;
    const rulesText = JSON.stringify(rules);
    let from = this.#stale ? null : catalogue.stateAfter(before);
    return pieces.flatMap(({ points, distances }) => {
      const state = parseState(from);
      if (from === null || state === null) return [];
      for (let index = 0; index < points.length; index++) {
        const point = points[index];
        if (point)
          advanceTrips(state, point, rules, measureStep(state.last, point, index > 0 ? distances[index] : undefined));
      }
      const predicted = { from, rules: rulesText, to: JSON.stringify(state) };
      from = predicted.to;
      return predicted;
    });
  }

  /** Persists what a restarted object could not derive from the open points again. */
  store() {
    this.#current.catchUp();
    this.#storeStale();
    this.#store.store();
  }

  #storeStale() {
    if (this.#stale) this.#kv.put("stale", this.#stale);
    else if (this.#isStaleStored) this.#kv.delete("stale");
    this.#isStaleStored = this.#stale !== null;
  }

  /** Deletes trips that ended by the time up to which points are forgotten. */
  forget(until: number) {
    this.#store.forget(until);
  }

  /** The settings that trips are detected with. */
  get rules(): TripRules {
    return this.#rules;
  }

  /** The id of the trip at a moment; 0: none is known. */
  idAt(time: number): number {
    return this.touching(time, time).at(-1)?.id ?? 0;
  }

  #rulesFor(settings: TripSettings): TripRules {
    return { ...settings, gapMs: Number(this.#env.TRIP_GAP_MINUTES) * MINUTE_MS };
  }

  #storeState({ header, data, predicted }: WrittenChunk) {
    const { catalogue } = this.#stored;
    const before = catalogue.all()[catalogue.all().indexOf(header) - 1];
    const from = this.#stale && this.#stale.from <= header.to ? null : catalogue.stateAfter(before);
    const state = parseState(from);
    const rules = this.rules;
    if (!state) this.#stale = widenRange(this.#stale, header.from, header.to);
    else if (predicted && predicted.from === from && predicted.rules === JSON.stringify(rules)) {
      catalogue.storeState(header, predicted.to);
    } else {
      advanceThrough(state, decodePoints(data), rules, []);
      catalogue.storeState(header, JSON.stringify(state));
    }
  }

  #isWithinOpenPoints(range: TimeRange) {
    const last = this.#stored.catalogue.last();
    return !last || last.to < range.from;
  }

  #recomputePage(first: number, page: ChunkHeader[], data: Map<number, Uint8Array>) {
    const { catalogue } = this.#stored;
    const chunks = catalogue.all();
    const before = chunks[first - 1];
    const state = parseState(catalogue.stateAfter(before));
    const stale = this.#stale;
    if (!state || !stale) {
      this.#markStale(ALL_TIME);
      return;
    }
    const rules = this.rules;
    const start = earliestStart(state);
    const endedTrips: Trip[] = [];
    let next = before ? this.#memory.indexAfter(lastOf(before)) : 0;
    for (const chunk of page) {
      const end = this.#memory.indexAfter(lastOf(chunk));
      const bytes = data.get(chunk.id);
      if (!bytes) throw new Error("a chunk of the page was not read");
      advanceThrough(state, mergePoints(decodePoints(bytes), this.#memory.open.slice(next, end)), rules, endedTrips);
      next = end;
      const text = JSON.stringify(state);
      const joins = chunk.to >= stale.to && catalogue.stateAfter(chunk) === text;
      catalogue.storeState(chunk, text);
      if (!joins) continue;
      // The trip under way at this chunk's end is stored already and stays as it is.
      const until = state.trip ? state.trip.start_time - 1 : chunk.to;
      this.#store.replace(start, until, endedTrips);
      this.#setStale(null);
      if (this.#lacksOpenTrips) this.#processOpenPoints();
      return;
    }
    const last = page.at(-1);
    if (!last || last === chunks.at(-1)) {
      this.#finish(state, start, endedTrips, next);
      return;
    }
    const underWay = runningTrip(state);
    this.#store.replace(start, last.to, underWay ? [...endedTrips, underWay] : endedTrips);
    this.#setStale({ from: last.to + 1, to: stale.to });
  }

  /** Evaluates the open points after the last chunk. */
  #processOpenPoints(storesTrips = false) {
    const { catalogue } = this.#stored;
    const last = catalogue.last();
    const stored = parseState(catalogue.stateAfter(last));
    if (!stored && !this.#stale) this.#stale = ALL_TIME;
    const state = stored ?? tripStart();
    const next = last ? this.#memory.indexAfter(lastOf(last)) : 0;
    if (storesTrips || !this.#stale) {
      this.#finish(state, earliestStart(state), [], next);
      return;
    }
    // Only the movement is known for now: trips of open points need the recomputed ones before them.
    advanceThrough(state, this.#memory.open.slice(next), this.rules, []);
    this.#current.reset(state, undefined);
    this.#lacksOpenTrips = true;
  }

  /** Evaluates the open points after the chunks and stores the trips. */
  #finish(state: TripState, start: number, endedTrips: Trip[], next: number) {
    advanceThrough(state, this.#memory.open.slice(next), this.rules, endedTrips);
    const underWay = runningTrip(state);
    const trips = this.#store.replace(
      start,
      Number.POSITIVE_INFINITY,
      underWay ? [...endedTrips, underWay] : endedTrips,
    );
    this.#current.reset(state, underWay ? trips.at(-1)?.id : undefined);
    this.#lacksOpenTrips = false;
    if (this.#stale) this.#setStale(null);
  }

  #markStale({ from, to }: TimeRange) {
    this.#setStale(widenRange(this.#stale, from, to));
  }

  #setStale(range: TimeRange | null) {
    this.#stale = range;
    this.#storeStale();
  }
}

/** The first page of chunks, up to few chunks after `to`: recomputed trips soon equal the stored ones. */
function firstPageUntil(chunks: ChunkHeader[], to: number): ChunkHeader[] {
  const [page = []] = pagesOf(chunks);
  const reached = page.findIndex((chunk) => chunk.to >= to);
  return reached === -1 ? page : page.slice(0, reached + EXTRA_CHUNKS);
}

/** The earliest start of trips that are endedTrips from this state on. */
function earliestStart({ trip, last }: TripState) {
  return trip?.start_time ?? last?.time ?? Number.NEGATIVE_INFINITY;
}

function advanceThrough(state: TripState, points: Point[], rules: TripRules, endedTrips: Trip[]) {
  for (const point of points) {
    const ended = advanceTrips(state, point, rules);
    if (ended) endedTrips.push(ended);
  }
}

const EXTRA_CHUNKS = 3;
