import { MINUTE_MS } from "#shared/time/duration.ts";
import { parseState } from "../chunk/catalogue.ts";
import { pagesOf } from "../chunk/pages.ts";
import { type CutChunk, lastOf } from "../chunk/plan.ts";
import type { GeoEnv } from "../env.ts";
import type { AddedPoints, PointMemory } from "../journal/point-memory.ts";
import type { ForeseenState, WrittenChunk } from "../journal/prepared-chunk.ts";
import type { StoredChunks } from "../journal/stored-chunks.ts";
import { ALWAYS, type Stretch, widen } from "../object/time-range.ts";
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
import { runningTrip, take } from "./detect.ts";
import { LiveTrips } from "./live-trips.ts";
import { TripBook } from "./trip-store.ts";

/** The tracker's trips. Points in order move them on; late points make a stretch stale, in which they are found anew. */
export class Trips {
  #kv: SyncKvStorage;
  #env: GeoEnv;
  #stored: StoredChunks;
  #memory: PointMemory;
  #book: TripBook;
  #live: LiveTrips;
  #rules: TripRules;
  /** Whether the open points' trips are not in the book, as it is not known yet what is before them. */
  #areOpenLeft = false;
  /** Where late points may have changed trips since they were last found. */
  #stale: Stretch | null;
  #isStaleKept: boolean;

  constructor(storage: DurableObjectStorage, env: GeoEnv, stored: StoredChunks, memory: PointMemory) {
    this.#kv = storage.kv;
    this.#env = env;
    this.#stored = stored;
    this.#memory = memory;
    this.#book = new TripBook(storage);
    this.#live = new LiveTrips(memory, this.#book, () => this.rules);
    this.#rules = this.#rulesBy(storage.kv.get<TripSettings>("settings") ?? DEFAULT_TRIP_SETTINGS);
    this.#stale = storage.kv.get<Stretch>("stale") ?? null;
    this.#isStaleKept = this.#stale !== null;
  }

  get settings(): TripSettings {
    const { gapMs, ...settings } = this.#rules;
    return settings;
  }

  /** All trips have to be found anew. */
  setSettings(settings: TripSettings) {
    this.#live.catchUp();
    this.#kv.put("settings", settings);
    this.#rules = this.#rulesBy(settings);
    this.#markStale(ALWAYS);
  }

  /** Once the open points are back in memory. */
  restore() {
    const [first] = this.#memory.open;
    const last = this.#stored.catalogue.last();
    // Whether these late points are in the trips already is not known any more.
    if (first && last && comparePoints(first, lastOf(last)) <= 0) {
      this.#stale = widen(this.#stale, first.time, Number.POSITIVE_INFINITY);
    }
    this.#walkOpen();
  }

  /** Once they are in memory. */
  note({ late, inOrder }: AddedPoints) {
    if (late) this.#stale = widen(this.#stale, late.from, late.to);
    if (inOrder > 0) this.#live.note();
  }

  /** Those that touch [from, to], as far as they are settled. */
  touching(from: number, to: number): NumberedTrip[] {
    const underWay = this.#live.underWay();
    const ended = this.#book.touching(from, to).filter(({ id }) => id !== underWay?.id);
    const touches = underWay && underWay.start_time <= to && underWay.end_time >= from;
    return touches ? [...ended, underWay] : ended;
  }

  byIds(ids: number[]): NumberedTrip[] {
    const underWay = this.#live.underWay();
    return this.#book.byIds(ids).map((trip) => (underWay && trip.id === underWay.id ? underWay : trip));
  }

  movement(now: number): Movement | null {
    return this.#live.movement(now);
  }

  lastMoved(): number | null {
    return this.#live.lastMoved();
  }

  /** Finds the trips again where late points may have changed them, until they join those that stay. */
  async settle() {
    while (this.#stale) {
      this.#live.catchUp();
      if (this.#isOpenAlone(this.#stale)) {
        this.#walkOpen(true);
        return;
      }
      const first = this.#stored.catalogue.firstSince(this.#stale.from);
      const page = pageOf(this.#stored.catalogue.all().slice(first), this.#stale.to);
      const data = await this.#stored.read(page);
      if (page.some(({ id }) => !data.has(id))) await this.reload();
      // A point that came meanwhile, later still, moves the beginning.
      else if (first === this.#stored.catalogue.firstSince(this.#stale.from)) this.#walk(first, page, data);
    }
  }

  /** For when the database holds other chunks than this feed thought. */
  async reload() {
    const headers = await this.#stored.headers();
    this.#stored.reset(headers);
    this.#markStale(ALWAYS);
  }

  /** Late points among the open ones alone cost no reading: then the states after new chunks can be told. */
  settleOpen() {
    if (this.#stale && this.#isOpenAlone(this.#stale)) this.#walkOpen(true);
  }

  /** Points that a flush has at hand, and knows how far apart they are. */
  follow(pieces: CutChunk[]) {
    // Else their trips are found anew.
    if (!this.#stale) this.#live.follow(pieces);
  }

  /** The states after chunks that are about to be written, if nothing comes in between. */
  foresee(removed: number[], pieces: CutChunk[]): ForeseenState[] {
    const { catalogue } = this.#stored;
    const [first] = pieces;
    const before = first && catalogue.all().findLast(({ id, to }) => to <= first.row.from && !removed.includes(id));
    const rules = this.rules;
    const by = JSON.stringify(rules);
    let from = this.#stale ? null : catalogue.stateAfter(before);
    return pieces.flatMap(({ points, distances }) => {
      const state = parseState(from);
      if (from === null || state === null) return [];
      for (let index = 0; index < points.length; index++) {
        const point = points[index];
        if (point) take(state, point, rules, measureStep(state.last, point, index > 0 ? distances[index] : undefined));
      }
      const foreseen = { from, by, to: JSON.stringify(state) };
      from = foreseen.to;
      return foreseen;
    });
  }

  keepStatesAfter(added: WrittenChunk[]) {
    for (const chunk of added) this.#keepStateAfter(chunk);
    this.#keepStale();
  }

  /** All that the next who lives cannot find in open points. */
  keep() {
    this.#live.catchUp();
    this.#keepStale();
    this.#book.store();
  }

  #keepStale() {
    if (this.#stale) this.#kv.put("stale", this.#stale);
    else if (this.#isStaleKept) this.#kv.delete("stale");
    this.#isStaleKept = this.#stale !== null;
  }

  /** Those that ended with points that are no more. */
  forget(until: number) {
    this.#book.forget(until);
  }

  /** By what trips are told apart. */
  get rules(): TripRules {
    return this.#rules;
  }

  /** Of the trip at a moment, as far as trips are settled; 0 without one. */
  idAt(time: number): number {
    return this.touching(time, time).at(-1)?.id ?? 0;
  }

  #rulesBy(settings: TripSettings): TripRules {
    return { ...settings, gapMs: Number(this.#env.TRIP_GAP_MINUTES) * MINUTE_MS };
  }

  #keepStateAfter({ header, data, foreseen }: WrittenChunk) {
    const { catalogue } = this.#stored;
    const before = catalogue.all()[catalogue.all().indexOf(header) - 1];
    const from = this.#stale && this.#stale.from <= header.to ? null : catalogue.stateAfter(before);
    const state = parseState(from);
    const rules = this.rules;
    if (!state) this.#stale = widen(this.#stale, header.from, header.to);
    else if (foreseen && foreseen.from === from && foreseen.by === JSON.stringify(rules)) {
      catalogue.keepState(header, foreseen.to);
    } else {
      takeAll(state, decodePoints(data), rules, []);
      catalogue.keepState(header, JSON.stringify(state));
    }
  }

  #isOpenAlone(stretch: Stretch) {
    const last = this.#stored.catalogue.last();
    return !last || last.to < stretch.from;
  }

  #walk(first: number, page: ChunkHeader[], data: Map<number, Uint8Array>) {
    const { catalogue } = this.#stored;
    const chunks = catalogue.all();
    const before = chunks[first - 1];
    const state = parseState(catalogue.stateAfter(before));
    const stale = this.#stale;
    if (!state || !stale) {
      this.#markStale(ALWAYS);
      return;
    }
    const rules = this.rules;
    const start = startOf(state);
    const found: Trip[] = [];
    let next = before ? this.#memory.positionAfter(lastOf(before)) : 0;
    for (const chunk of page) {
      const end = this.#memory.positionAfter(lastOf(chunk));
      const bytes = data.get(chunk.id);
      if (!bytes) throw new Error("a chunk of the page was not read");
      takeAll(state, mergePoints(decodePoints(bytes), this.#memory.open.slice(next, end)), rules, found);
      next = end;
      const text = JSON.stringify(state);
      const joins = chunk.to >= stale.to && catalogue.stateAfter(chunk) === text;
      catalogue.keepState(chunk, text);
      if (!joins) continue;
      // The trip under way here goes on as it is known.
      const until = state.trip ? state.trip.start_time - 1 : chunk.to;
      this.#book.replace(start, until, found);
      this.#setStale(null);
      if (this.#areOpenLeft) this.#walkOpen();
      return;
    }
    const last = page.at(-1);
    if (!last || last === chunks.at(-1)) {
      this.#finish(state, start, found, next);
      return;
    }
    const underWay = runningTrip(state);
    this.#book.replace(start, last.to, underWay ? [...found, underWay] : found);
    this.#setStale({ from: last.to + 1, to: stale.to });
  }

  /** From the last chunk on: only the open points are needed. */
  #walkOpen(settles = false) {
    const { catalogue } = this.#stored;
    const last = catalogue.last();
    const stored = parseState(catalogue.stateAfter(last));
    if (!stored && !this.#stale) this.#stale = ALWAYS;
    const state = stored ?? tripStart();
    const next = last ? this.#memory.positionAfter(lastOf(last)) : 0;
    if (settles || !this.#stale) {
      this.#finish(state, startOf(state), [], next);
      return;
    }
    // For the time being: what the tracker does now is told without its trips.
    takeAll(state, this.#memory.open.slice(next), this.rules, []);
    this.#live.replace(state, undefined);
    this.#areOpenLeft = true;
  }

  /** Takes the open points behind the chunks; then all is known. */
  #finish(state: TripState, start: number, found: Trip[], next: number) {
    takeAll(state, this.#memory.open.slice(next), this.rules, found);
    const underWay = runningTrip(state);
    const trips = this.#book.replace(start, Number.POSITIVE_INFINITY, underWay ? [...found, underWay] : found);
    this.#live.replace(state, underWay ? trips.at(-1)?.id : undefined);
    this.#areOpenLeft = false;
    if (this.#stale) this.#setStale(null);
  }

  #markStale({ from, to }: Stretch) {
    this.#setStale(widen(this.#stale, from, to));
  }

  #setStale(stretch: Stretch | null) {
    this.#stale = stretch;
    this.#keepStale();
  }
}

/** The first page; not much further than `to`, as the trips join soon after. */
function pageOf(chunks: ChunkHeader[], to: number): ChunkHeader[] {
  const [page = []] = pagesOf(chunks);
  const reached = page.findIndex((chunk) => chunk.to >= to);
  return reached === -1 ? page : page.slice(0, reached + JOINING_CHUNKS);
}

/** Before this no trip can start that is found from here on. */
function startOf({ trip, last }: TripState) {
  return trip?.start_time ?? last?.time ?? Number.NEGATIVE_INFINITY;
}

function takeAll(state: TripState, points: Point[], rules: TripRules, found: Trip[]) {
  for (const point of points) {
    const ended = take(state, point, rules);
    if (ended) found.push(ended);
  }
}

const JOINING_CHUNKS = 3;
