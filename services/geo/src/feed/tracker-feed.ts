import { DurableObject } from "cloudflare:workers";
import type { AuditEntry } from "#shared/audit.ts";
import { nowMs } from "#shared/clock.ts";
import type { Device } from "#shared/contract/device.ts";
import type { MarkSearch, Metered, MeterMarks, MeterSearch } from "#shared/contract/meter.ts";
import type { TargetsWord } from "#shared/contract/retranslation.ts";
import { openDatabase } from "#shared/database.ts";
import { dropEntries, keepEntry, keptEntries } from "../audit/outbox.ts";
import { isStoredAlready, replaceChunks, selectChunkData, selectChunkHeaders } from "../chunk/queries.ts";
import type { ChunkHeader } from "../chunk/table.ts";
import type { MomentSearch, Moments } from "../counter/moments.ts";
import { TrackerMeter } from "../counter/tracker-meter.ts";
import type { GeoEnv } from "../env.ts";
import { decodePoints, encodePoints } from "../point/columns.ts";
import {
  comparePoints,
  type Identity,
  mergePoints,
  type Point,
  pointsWithin,
  positionOf,
  withoutPoints,
  withoutRepeats,
} from "../point/point.ts";
import { Retranslation } from "../retranslation/retranslation.ts";
import {
  DEFAULT_TRIP_SETTINGS,
  movementOf,
  runningTrip,
  type Trip,
  type TripRules,
  type TripSettings,
  type TripState,
  take,
  tripStart,
} from "../trip/detect.ts";
import type { NumberedTrip } from "../trip/renumber.ts";
import { ChunkIndex, parseState } from "./chunk-index.ts";
import { pagesOf } from "./chunk-pages.ts";
import { type ChunkGroup, cutChunks, lastOf, planChunks } from "./chunk-plan.ts";
import { isOlder, type Refusal, refusalOf, type Sender } from "./config.ts";
import type { Acceptance, Feed, OpenPoints, TrackerCondition } from "./feed.ts";
import { Journal } from "./journal.ts";
import { KnownPoints } from "./known-points.ts";
import { type Facts, type FeedState, observeFacts, observePoint, unknownState } from "./state.ts";
import { ALWAYS, type Stretch, widen } from "./stretch.ts";
import { TripBook } from "./trip-book.ts";

/**
 * One per tracker, named by its id: takes the points in and knows what the tracker does. Points are open (in memory and
 * in the journal) until a flush merges them into chunks of the geo database. A point in both places is one point: points
 * are merged by identity wherever they meet, so that no crash between two steps does harm.
 */
export class TrackerFeed extends DurableObject<GeoEnv> implements Feed {
  #journal: Journal;
  #chunks: ChunkIndex;
  #book: TripBook;
  #retranslation: Retranslation;
  #known = new KnownPoints();
  #meter: TrackerMeter;
  #open: Point[] = [];
  #device: Device | undefined;
  #ingestKey: string | null;
  #settings: TripSettings;
  #state: FeedState;
  /** After all points that came in order. */
  #live: TripState;
  #liveTripId: number | undefined;
  /** Where late points may have changed trips since they were last found. */
  #stale: Stretch | null;
  /** Flushes and searches for trips, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #flushing = false;
  #failures = 0;
  #asksDatabaseFrom = 0;
  #compactFrom = COMPACT_ROWS;

  constructor(ctx: DurableObjectState, env: GeoEnv) {
    super(ctx, env);
    const { sql, kv } = ctx.storage;
    this.#journal = new Journal(sql);
    this.#chunks = new ChunkIndex(sql);
    this.#book = new TripBook(ctx.storage);
    this.#meter = new TrackerMeter(sql, this.#chunks, (chunks) => this.#read(chunks));
    this.#retranslation = new Retranslation(ctx, env, (ms) => this.#wakeUpIn(ms, "retranslate_at"));
    this.#device = kv.get<Device>("device");
    this.#ingestKey = kv.get<string>("ingest_key") ?? null;
    this.#settings = kv.get<TripSettings>("settings") ?? DEFAULT_TRIP_SETTINGS;
    this.#state = kv.get<FeedState>("state") ?? unknownState();
    this.#stale = kv.get<Stretch>("stale") ?? null;
    this.#live = tripStart();
    this.#wake();
  }

  async configure(device: Device): Promise<void> {
    if (isOlder(device, this.#device)) return;
    this.ctx.storage.kv.put("device", device);
    this.#device = device;
    if (device.removed) this.#retranslation.clear();
  }

  async setTargets(word: TargetsWord): Promise<void> {
    if (!this.#device?.removed) this.#retranslation.setTargets(word);
  }

  async setIngestKey(key: string | null, entry: AuditEntry): Promise<void> {
    this.ctx.storage.kv.put("ingest_key", key);
    this.#record(entry);
    this.#ingestKey = key;
  }

  async refusal(sender: Sender): Promise<Refusal | null> {
    return this.#refusalOf(sender);
  }

  async accept(bytes: Uint8Array, sender: Sender, facts: Facts | null = null): Promise<Acceptance> {
    const refused = this.#refusalOf(sender);
    if (refused) return { refused };
    const points = decodePoints(bytes);
    await this.#learn(points);

    // From here on nothing waits: no other call can come between the look and the insert.
    const fresh = this.#freshOf(points);
    this.#known.trim();
    const now = nowMs(this.env);
    if (fresh.length > 0 || facts) {
      const isFirst = this.#journal.rows === 0;
      this.#journal.append(now, facts, fresh, fresh.length === points.length ? bytes : undefined);
      if (isFirst) this.#wakeUpIn(OPEN_MS, "flush_at");
      this.#retranslation.keep(now, fresh, fresh.length === points.length ? bytes : undefined);
    }
    this.#add(fresh);
    this.#observe(now, facts, points);
    if (this.#journal.rows >= this.#compactFrom && !this.#flushing) this.#compact(now);
    if (this.#open.length >= FLUSH_POINTS) this.#flushSoon();
    return { accepted: fresh.length, duplicates: points.length - fresh.length };
  }

  async trips(from: number, to: number): Promise<NumberedTrip[]> {
    await this.#inTurn(() => this.#settle());
    const underWay = this.#tripUnderWay();
    const known = this.#book.touching(from, to).filter(({ id }) => id !== underWay?.id);
    const touches = underWay && underWay.start_time <= to && underWay.end_time >= from;
    return touches ? [...known, underWay] : known;
  }

  async tripsById(ids: number[]): Promise<NumberedTrip[]> {
    await this.#inTurn(() => this.#settle());
    const underWay = this.#tripUnderWay();
    return this.#book.byIds(ids).map((trip) => (underWay && trip.id === underWay.id ? underWay : trip));
  }

  async openPoints(from: number, to: number): Promise<OpenPoints> {
    const index = this.#chunks.firstSince(from) - 1;
    const chunk = this.#chunks.all()[index];
    const speed = parseState(this.#chunks.stateAfter(chunk))?.last?.speed ?? 0;
    const anchor = chunk ? { ...lastOf(chunk), speed, meters: this.#chunks.metersUntil(index) } : null;
    const points = pointsWithin(this.#open, anchor?.time ?? Number.NEGATIVE_INFINITY, to);
    return { points: encodePoints(points, "raw"), anchor };
  }

  async state(now: number): Promise<TrackerCondition> {
    const movement = movementOf(this.#live, this.#rules(), now);
    return { ...this.#state, movement, last_moved: this.#live.trip?.end_time ?? this.#live.moved };
  }

  async lastGpsPoint(): Promise<FeedState["last_fix"]> {
    return this.#state.last_fix;
  }

  metered(search: MeterSearch): Promise<Metered> {
    return this.#meter.values(search, () => this.#open);
  }

  moments(search: MomentSearch): Promise<Moments> {
    return this.#meter.moments(search, () => this.#open);
  }

  meterMarks(search: MarkSearch): Promise<MeterMarks> {
    return this.#meter.marks(search, () => this.#open);
  }

  async pinMeter(): Promise<number | null> {
    const time = this.#lastPoint()?.time ?? null;
    if (time !== null) this.#meter.pin(time);
    return time;
  }

  async settings(): Promise<TripSettings> {
    return this.#settings;
  }

  async setSettings(settings: TripSettings, entry: AuditEntry): Promise<void> {
    this.ctx.storage.kv.put("settings", settings);
    this.#record(entry);
    this.#settings = settings;
    this.#markStale(ALWAYS);
    this.ctx.waitUntil(this.#inTurn(() => this.#settle()).catch(logged));
  }

  /** Writes all open points to the database now; it throws where the database does not answer. */
  async flush() {
    await this.#inTurn(() => this.#flush());
  }

  /** One alarm serves all: each is done when it is due. */
  override async alarm() {
    // Goes on by itself: a receiver that hangs holds nothing up here.
    if (this.#isDue("retranslate_at")) this.#retranslate();
    if (this.#isDue("flush_at")) await this.#flushOrPause();
    if (this.#isDue("audit_at")) await this.#tellAudit();
    this.#setAlarm();
  }

  #refusalOf(sender: Sender): Refusal | null {
    return refusalOf(this.#device, this.#ingestKey, sender) ?? (this.#open.length > MOST_OPEN ? "busy" : null);
  }

  #retranslate() {
    this.ctx.storage.kv.delete("retranslate_at");
    this.#retranslation.run();
  }

  async #flushOrPause() {
    const { kv } = this.ctx.storage;
    await this.flush().then(
      () => {
        this.#failures = 0;
        if (this.#journal.rows > 0) this.#wakeUpIn(OPEN_MS, "flush_at");
        else kv.delete("flush_at");
      },
      (thrown) => {
        logged(thrown);
        this.#wakeUpIn(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++), "flush_at");
      },
    );
  }

  /** Stored in one go with the change: nothing waits in between. */
  #record(entry: AuditEntry) {
    keepEntry(this.ctx.storage, entry);
    this.#wakeUpIn(Number(this.env.AUDIT_DELAY_SECONDS) * 1000, "audit_at");
  }

  /** What is told twice, as the answer got lost or the process died, the log knows by its id. */
  async #tellAudit() {
    const { storage } = this.ctx;
    const entries = keptEntries(storage);
    // Before anything can go wrong.
    this.#wakeUpIn(AUDIT_PAUSE_MS, "audit_at");
    try {
      if (entries.length > 0) await this.env.AUDIT.record(entries);
      dropEntries(storage, entries);
      if (keptEntries(storage).length > 0) this.#wakeUpIn(0, "audit_at");
      else storage.kv.delete("audit_at");
    } catch (thrown) {
      logged(thrown);
    }
  }

  #rules(): TripRules {
    return { ...this.#settings, gapMs: Number(this.env.TRIP_GAP_MINUTES) * 60_000 };
  }

  /** Reads the journal back; everything else that is in memory follows from it. */
  #wake() {
    const points: Point[] = [];
    for (const entry of this.#journal.entries()) {
      for (const point of entry.points) points.push(point);
      this.#observe(entry.received, entry.facts, entry.points);
    }
    this.#open = withoutRepeats(points.sort(comparePoints));
    const [first] = this.#open;
    const last = this.#chunks.last();
    // Whether these late points are in the trips already is not known any more.
    if (first && last && comparePoints(first, lastOf(last)) <= 0) {
      this.#stale = widen(this.#stale, first.time, Number.POSITIVE_INFINITY);
    }
    this.#walkOpen();
  }

  /** Makes sure that for every late point the points of its chunk are at hand, if the database answers. */
  async #learn(points: Point[]) {
    for (let attempt = 0; attempt < 3; attempt++) {
      const last = this.#chunks.last();
      const [first] = points;
      if (!first || !last || comparePoints(first, lastOf(last)) > 0) return;
      const wanted = new Map<number, ChunkHeader>();
      for (const point of points) {
        const chunk = this.#chunks.covering(point);
        if (chunk && !this.#known.has(chunk.id)) wanted.set(chunk.id, chunk);
      }
      if (wanted.size === 0 || Date.now() < this.#asksDatabaseFrom) return;
      try {
        // A flush may replace chunks meanwhile: then the next round looks again.
        for (const [id, data] of await this.#read([...wanted.values()])) this.#known.learn(id, data);
      } catch (thrown) {
        // Accepted without knowing: what is a duplicate is dropped when it is merged.
        logged(thrown);
        this.#asksDatabaseFrom = Date.now() + FIRST_PAUSE_MS;
        return;
      }
    }
  }

  #freshOf(points: Point[]): Point[] {
    const lastOpen = this.#open.at(-1);
    const lastChunk = this.#chunks.last();
    const end = lastChunk && lastOf(lastChunk);
    return withoutRepeats(points).filter((point) => {
      if (lastOpen && comparePoints(point, lastOpen) <= 0) {
        const there = this.#open[positionOf(this.#open, point)];
        if (there && comparePoints(there, point) === 0) return false;
      }
      if (!end || comparePoints(point, end) > 0) return true;
      const chunk = this.#chunks.covering(point);
      return !chunk || this.#known.holds(chunk.id, point) !== true;
    });
  }

  #add(fresh: Point[]) {
    const last = this.#lastPoint();
    const inOrder = last ? fresh.findIndex((point) => comparePoints(point, last) > 0) : 0;
    const late = inOrder === -1 ? fresh : fresh.slice(0, inOrder);
    const [firstLate, lastLate] = [late[0], late.at(-1)];
    if (firstLate && lastLate) {
      this.#open = mergePoints(this.#open, late);
      this.#stale = widen(this.#stale, firstLate.time, lastLate.time);
    }
    const rules = this.#rules();
    for (let index = late.length; index < fresh.length; index++) {
      const point = fresh[index];
      if (!point) break;
      this.#open.push(point);
      this.#advance(point, rules);
    }
  }

  #lastPoint(): Identity | null {
    const lastOpen = this.#open.at(-1);
    const lastChunk = this.#chunks.last();
    const stored = lastChunk && lastOf(lastChunk);
    if (!lastOpen || !stored) return lastOpen ?? stored;
    return comparePoints(lastOpen, stored) > 0 ? lastOpen : stored;
  }

  /** A point in order needs no look back: it only moves the trip under way on, ends it or begins one. */
  #advance(point: Point, rules: TripRules) {
    const before = this.#live.trip;
    const ended = take(this.#live, point, rules);
    if (this.#live.trip === before) return;
    if (this.#liveTripId !== undefined) {
      if (ended) this.#book.put({ ...ended, id: this.#liveTripId });
      else this.#book.remove(this.#liveTripId);
    }
    const begun = runningTrip(this.#live);
    this.#liveTripId = begun ? this.#book.add(begun) : undefined;
  }

  #observe(now: number, facts: Facts | null, points: Point[]) {
    this.#state.last_message = now;
    for (const point of points) observePoint(this.#state, point);
    if (facts) observeFacts(this.#state, facts, facts.time ?? points.at(-1)?.time ?? now);
  }

  #compact(now: number) {
    this.ctx.storage.kv.put("state", this.#state);
    this.#journal.compact(now, this.#open);
    this.#compactFrom = this.#journal.rows + COMPACT_ROWS;
  }

  #tripUnderWay(): NumberedTrip | null {
    const trip = runningTrip(this.#live);
    return trip && this.#liveTripId !== undefined ? { ...trip, id: this.#liveTripId } : null;
  }

  /** The runtime's alarm goes by the runtime's clock, whatever ours says. */
  #wakeUpIn(ms: number, what: Due) {
    this.ctx.storage.kv.put(what, Date.now() + ms);
    this.#setAlarm();
  }

  /** An object has one alarm: it is set for what is due first. */
  #setAlarm() {
    const { kv } = this.ctx.storage;
    const times = DUES.flatMap((what) => kv.get<number>(what) ?? []);
    if (times.length > 0) this.ctx.waitUntil(this.ctx.storage.setAlarm(Math.min(...times)));
  }

  /** What an alarm set by an earlier version was for is not noted: it flushes. */
  #isDue(what: Due) {
    const time = this.ctx.storage.kv.get<number>(what) ?? (what === "flush_at" ? 0 : Number.POSITIVE_INFINITY);
    // An alarm may be a moment early.
    return time <= Date.now() + EARLY_MS;
  }

  #flushSoon() {
    if (this.#flushing || Date.now() < this.#asksDatabaseFrom) return;
    this.#flushing = true;
    const attempt = this.flush().catch((thrown) => {
      logged(thrown);
      // The alarm that the first open point has set tries again; so does the next batch, after a pause.
      this.#asksDatabaseFrom = Date.now() + FIRST_PAUSE_MS;
    });
    this.ctx.waitUntil(attempt);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  // Flushing

  async #flush() {
    this.#flushing = true;
    try {
      const points = [...this.#open];
      const row = this.#journal.lastRow();
      for (let left = points; left.length > 0; ) {
        const groups = sliceOf(planChunks(this.#chunks.all(), left));
        // Otherwise the chunks were others than expected: they are planned for anew.
        if (await this.#store(groups)) left = left.slice(groups.reduce((sum, group) => sum + group.points.length, 0));
      }
      // One transaction, as nothing waits: the points leave the journal with all that followed from them stored.
      this.#open = withoutPoints(this.#open, points);
      this.ctx.storage.kv.put("state", this.#state);
      this.#keepStale();
      this.#journal.dropUntil(row);
      this.#compactFrom = this.#journal.rows + COMPACT_ROWS;
      this.#known.trim();
    } finally {
      this.#flushing = false;
    }
  }

  /** One batch that reads, one that writes. False when the database held other chunks than this feed thought. */
  async #store(groups: ChunkGroup[]): Promise<boolean> {
    const data = await this.#read(groups.flatMap(({ chunk }) => chunk ?? []));
    const gone: number[] = [];
    const pieces: ReturnType<typeof cutChunks> = [];
    for (const { chunk, points } of groups) {
      const bytes = chunk && data.get(chunk.id);
      if (chunk && !bytes) return this.#reload();
      const stored = bytes ? decodePoints(bytes) : [];
      const merged = mergePoints(stored, points);
      if (merged.length === stored.length) continue;
      if (chunk) gone.push(chunk.id);
      pieces.push(...cutChunks(merged));
    }
    if (pieces.length === 0) return true;

    const flush = this.#flushNumber();
    let ids: number[];
    try {
      const rows = pieces.map(({ row }) => row);
      ids = await replaceChunks(openDatabase(this.env), this.#owner(), flush, gone, rows);
    } catch (thrown) {
      if (!isStoredAlready(thrown)) throw thrown;
      // An attempt of which no answer came back was stored after all.
      return this.#reload();
    }
    const added = pieces.map(({ row: { data, ...header }, points }, part) => {
      const id = ids[part];
      if (id === undefined) throw new Error("the database answered fewer chunks than it was given");
      return { header: { ...header, id, flush, part }, points };
    });
    for (const id of gone) this.#known.forget(id);
    for (const { header, points } of added) this.#known.learn(header.id, points);
    this.ctx.storage.kv.put("flush", flush + 1);
    const last = this.#chunks.last();
    // Late points among the open ones alone cost no reading: then the states below can be told.
    if (this.#stale && (!last || last.to < this.#stale.from)) this.#walkOpen(true);
    this.#chunks.replace(
      gone,
      added.map(({ header }) => header),
    );
    this.#meter.replace(gone, added);
    for (const { header, points } of added) this.#keepStateAfter(header, points);
    this.#keepStale();
    return true;
  }

  #keepStateAfter(chunk: ChunkHeader, points: Point[]) {
    const before = this.#chunks.all()[this.#chunks.all().indexOf(chunk) - 1];
    const state = this.#stale && this.#stale.from <= chunk.to ? null : parseState(this.#chunks.stateAfter(before));
    if (!state) {
      this.#stale = widen(this.#stale, chunk.from, chunk.to);
      return;
    }
    const rules = this.#rules();
    for (const point of points) take(state, point, rules);
    this.#chunks.keepState(chunk, JSON.stringify(state));
  }

  async #reload(): Promise<false> {
    const headers = await selectChunkHeaders(openDatabase(this.env), this.#owner());
    const flush = headers.reduce((most, header) => Math.max(most, header.flush), this.#flushNumber() - 1);
    this.ctx.storage.kv.put("flush", flush + 1);
    this.#chunks.reset(headers);
    this.#meter.reset();
    this.#known.clear();
    this.#markStale(ALWAYS);
    return false;
  }

  /** In pages, as an answer of the database is limited. */
  async #read(chunks: ChunkHeader[]): Promise<Map<number, Uint8Array>> {
    const data = new Map<number, Uint8Array>();
    const db = openDatabase(this.env);
    for (const page of pagesOf(chunks)) {
      const ids = page.map(({ id }) => id);
      for (const row of await selectChunkData(db, this.#owner(), ids)) data.set(row.id, row.data);
    }
    return data;
  }

  #owner() {
    if (!this.#device) throw new Error("a feed that nobody configured has no chunks");
    return this.#device;
  }

  #flushNumber() {
    return this.ctx.storage.kv.get<number>("flush") ?? 1;
  }

  // Trips

  /** Finds the trips again where late points may have changed them, until they join the known ones. */
  async #settle() {
    while (this.#stale) {
      const last = this.#chunks.last();
      if (!last || last.to < this.#stale.from) {
        this.#walkOpen(true);
        return;
      }
      const first = this.#chunks.firstSince(this.#stale.from);
      const page = pageOf(this.#chunks.all().slice(first), this.#stale.to);
      const data = await this.#read(page);
      if (page.some(({ id }) => !data.has(id))) await this.#reload();
      // A point that came meanwhile, later still, moves the beginning.
      else if (first === this.#chunks.firstSince(this.#stale.from)) this.#walk(first, page, data);
    }
  }

  #walk(first: number, page: ChunkHeader[], data: Map<number, Uint8Array>) {
    const chunks = this.#chunks.all();
    const before = chunks[first - 1];
    const state = parseState(this.#chunks.stateAfter(before));
    const stale = this.#stale;
    if (!state || !stale) {
      this.#markStale(ALWAYS);
      return;
    }
    const rules = this.#rules();
    const start = startOf(state);
    const found: Trip[] = [];
    let next = before ? positionAfter(this.#open, lastOf(before)) : 0;
    for (const chunk of page) {
      const end = positionAfter(this.#open, lastOf(chunk));
      const bytes = data.get(chunk.id);
      if (!bytes) throw new Error("a chunk of the page was not read");
      takeAll(state, mergePoints(decodePoints(bytes), this.#open.slice(next, end)), rules, found);
      next = end;
      const text = JSON.stringify(state);
      const joins = chunk.to >= stale.to && this.#chunks.stateAfter(chunk) === text;
      this.#chunks.keepState(chunk, text);
      if (!joins) continue;
      // The trip under way here goes on as it is known.
      const until = state.trip ? state.trip.start_time - 1 : chunk.to;
      this.#book.replace(start, until, found);
      this.#stale = null;
      this.#keepStale();
      return;
    }
    const last = page.at(-1);
    if (!last || last === chunks.at(-1)) {
      this.#finish(state, start, found, next);
      return;
    }
    const underWay = runningTrip(state);
    this.#book.replace(start, last.to, underWay ? [...found, underWay] : found);
    this.#stale = { from: last.to + 1, to: stale.to };
    this.#keepStale();
  }

  /** From the last chunk on: only the open points are needed. */
  #walkOpen(settles = false) {
    const last = this.#chunks.last();
    const known = parseState(this.#chunks.stateAfter(last));
    if (!known && !this.#stale) this.#stale = ALWAYS;
    const state = known ?? tripStart();
    const next = last ? positionAfter(this.#open, lastOf(last)) : 0;
    if (settles || !this.#stale) {
      this.#finish(state, startOf(state), [], next);
      return;
    }
    // For the time being: what the tracker does now is told without its trips.
    takeAll(state, this.#open.slice(next), this.#rules(), []);
    this.#live = state;
  }

  /** Takes the open points behind the chunks; then all is known. */
  #finish(state: TripState, start: number, found: Trip[], next: number) {
    takeAll(state, this.#open.slice(next), this.#rules(), found);
    const underWay = runningTrip(state);
    const trips = this.#book.replace(start, Number.POSITIVE_INFINITY, underWay ? [...found, underWay] : found);
    this.#live = state;
    this.#liveTripId = underWay ? trips.at(-1)?.id : undefined;
    if (!this.#stale) return;
    this.#stale = null;
    this.#keepStale();
  }

  #markStale({ from, to }: Stretch) {
    this.#stale = widen(this.#stale, from, to);
    this.#keepStale();
  }

  #keepStale() {
    const { kv } = this.ctx.storage;
    if (this.#stale) kv.put("stale", this.#stale);
    else kv.delete("stale");
  }
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

function positionAfter(points: Point[], point: Identity) {
  const position = positionOf(points, point);
  const there = points[position];
  return there && comparePoints(there, point) === 0 ? position + 1 : position;
}

/** The first cause only: what wraps it holds a statement's parameters, which no log may have. */
function logged(thrown: unknown) {
  let root = thrown;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  console.error(JSON.stringify({ feed: root instanceof Error ? root.message : String(root) }));
}

/** From here on open points are written to the database. */
const FLUSH_POINTS = 4096;
/** Open points are not left longer than this. */
const OPEN_MS = 3_600_000;
/** More than the database's absence of days can leave: then a feed's memory is at stake. */
const MOST_OPEN = 100_000;
const FIRST_PAUSE_MS = 5_000;
/** Until the audit log is told again. */
const AUDIT_PAUSE_MS = 60_000;
const EARLY_MS = 100;
/** What the alarm is for; under these names the times are stored. */
const DUES = ["flush_at", "audit_at", "retranslate_at"] as const;
type Due = (typeof DUES)[number];
const LONGEST_PAUSE_MS = 300_000;
/** Rows of the journal that are read back without delay. */
const COMPACT_ROWS = 128;
const SLICE_CHUNKS = 32;
const SLICE_POINTS = 16_384;
const JOINING_CHUNKS = 3;
