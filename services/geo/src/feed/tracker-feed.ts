import { DurableObject } from "cloudflare:workers";
import type { AuditEntry } from "#shared/audit.ts";
import { nowMs } from "#shared/clock.ts";
import type { Metered, MeterMarks, WantedMarks, WantedMeters } from "#shared/metered.ts";
import type { TargetsWord } from "#shared/retranslation.ts";
import type { Device } from "#shared/tracker.ts";
import type { Moments, WantedMoments } from "../counter/moments.ts";
import type { GeoEnv } from "../env.ts";
import { decodePoints } from "../point/codec.ts";
import type { Point } from "../point/point.ts";
import { Retranslation } from "../retranslation/retranslation.ts";
import type { Movement, TripSettings } from "../trip/detect.ts";
import type { NumberedTrip } from "../trip/renumber.ts";
import { Alarm } from "./alarm.ts";
import { AuditOutbox } from "./audit-outbox.ts";
import { isOlder, type Refusal, refusalOf, type Sender } from "./config.ts";
import { Flush } from "./flush.ts";
import { LastState } from "./last-state.ts";
import { logged } from "./logged.ts";
import { type OpenPoints, openPointsWithin } from "./open-points.ts";
import { PointMemory } from "./point-memory.ts";
import type { Facts, FeedState } from "./state.ts";
import { StoredChunks } from "./stored-chunks.ts";
import { Trips } from "./trips.ts";
import { Turns } from "./turns.ts";

export type Acceptance = { accepted: number; duplicates: number } | { refused: Refusal };

/**
 * One per tracker, named by its id: takes the points in and knows what the tracker does. Points are open (in memory and
 * in the journal) until a flush merges them into chunks of the geo database. A point in both places is one point: points
 * are merged by identity wherever they meet, so that no crash between two steps does harm.
 */
export class TrackerFeed extends DurableObject<GeoEnv> {
  #alarm: Alarm;
  #audit: AuditOutbox;
  #state: LastState;
  #stored: StoredChunks;
  #memory: PointMemory;
  #trips: Trips;
  #retranslation: Retranslation;
  #flush: Flush;
  /** Flushes and searches for trips. */
  #turns = new Turns();
  #device: Device | undefined;
  #ingestKey: string | null;

  constructor(ctx: DurableObjectState, env: GeoEnv) {
    super(ctx, env);
    const { storage } = ctx;
    this.#alarm = new Alarm(ctx);
    this.#audit = new AuditOutbox(storage, env, this.#alarm);
    this.#state = new LastState(storage);
    this.#stored = new StoredChunks(storage, env, () => this.#owner());
    this.#memory = new PointMemory(storage, this.#stored, this.#state);
    this.#trips = new Trips(storage, env, this.#stored, this.#memory);
    this.#retranslation = new Retranslation(ctx, env, (ms) => this.#alarm.wakeUpIn(ms, "retranslate_at"));
    this.#flush = new Flush(ctx, {
      memory: this.#memory,
      stored: this.#stored,
      trips: this.#trips,
      alarm: this.#alarm,
      turns: this.#turns,
    });
    this.#device = storage.kv.get<Device>("device");
    this.#ingestKey = storage.kv.get<string>("ingest_key") ?? null;
    this.#memory.restore();
    this.#trips.restore();
  }

  // Who may send, and where to

  configure(device: Device) {
    if (isOlder(device, this.#device)) return;
    this.ctx.storage.kv.put("device", device);
    this.#device = device;
    if (device.removed) this.#retranslation.clear();
  }

  /** Where points go besides, those accepted from now on. */
  setTargets(word: TargetsWord) {
    if (!this.#device?.removed) this.#retranslation.setTargets(word);
  }

  /** null: the device's id alone will do. */
  setIngestKey(key: string | null, entry: AuditEntry) {
    this.ctx.storage.kv.put("ingest_key", key);
    this.#audit.record(entry);
    this.#ingestKey = key;
  }

  /** Why points of the sender would not be taken now. */
  refusal(sender: Sender): Refusal | null {
    return refusalOf(this.#device, this.#ingestKey, sender) ?? (this.#memory.isFull ? "busy" : null);
  }

  // Points

  /** `bytes` are sorted points in their raw form, valid and at stored precision. */
  async accept(bytes: Uint8Array, sender: Sender, facts: Facts | null = null): Promise<Acceptance> {
    const refused = this.refusal(sender);
    if (refused) return { refused };
    const points = decodePoints(bytes);
    await this.#stored.learn(points);

    // From here on nothing waits: no other call can come between the look and the insert.
    const fresh = this.#memory.freshOf(points);
    this.#stored.trim();
    const now = nowMs(this.env);
    if (fresh.length > 0 || facts) this.#keep(now, facts, fresh, fresh.length === points.length ? bytes : undefined);
    this.#trips.take(this.#memory.add(fresh));
    this.#state.observe(now, facts, points);
    if (!this.#flush.isUnderWay) this.#memory.compactWhenLong(now);
    this.#flush.runWhenMany();
    return { accepted: fresh.length, duplicates: points.length - fresh.length };
  }

  /** To be read before the chunks: what a flush moves in the meantime is then seen twice, never missed. */
  openPoints(from: number, to: number): OpenPoints {
    return openPointsWithin(this.#memory.open, this.#stored.catalogue, from, to);
  }

  /** Writes all open points to the database now; it throws where the database does not answer. */
  async flush() {
    await this.#flush.run();
  }

  // What the tracker does

  /** `now` is the caller's, so that one answer has one time. */
  state(now: number): FeedState & { movement: Movement | null; last_moved: number | null } {
    return { ...this.#state.current, movement: this.#trips.movement(now), last_moved: this.#trips.lastMoved() };
  }

  /** Cell towers give no such point. */
  lastGpsPoint(): FeedState["last_fix"] {
    return this.#state.current.last_fix;
  }

  // Trips

  /** The trips that touch [from, to], the one under way included. */
  async trips(from: number, to: number): Promise<NumberedTrip[]> {
    await this.#settleTrips();
    return this.#trips.touching(from, to);
  }

  async tripsById(ids: number[]): Promise<NumberedTrip[]> {
    await this.#settleTrips();
    return this.#trips.byIds(ids);
  }

  settings(): TripSettings {
    return this.#trips.settings;
  }

  setSettings(settings: TripSettings, entry: AuditEntry) {
    this.#trips.setSettings(settings);
    this.#audit.record(entry);
    this.ctx.waitUntil(this.#settleTrips().catch(logged));
  }

  // Counters

  /** What has run up in the points by some moments. */
  metered(wanted: WantedMeters): Promise<Metered> {
    return this.#stored.meter.values(wanted, () => this.#memory.open);
  }

  /** The same to the very point, and the points themselves at which something is cut. */
  moments(wanted: WantedMoments): Promise<Moments> {
    return this.#stored.meter.moments(wanted, () => this.#memory.open);
  }

  meterMarks(wanted: WantedMarks): Promise<MeterMarks> {
    return this.#stored.meter.marks(wanted, () => this.#memory.open);
  }

  /** The last point's time, from which somebody is going to count; null without points. */
  pinMeter(): number | null {
    const time = this.#memory.last()?.time ?? null;
    if (time !== null) this.#stored.meter.pin(time);
    return time;
  }

  /** One alarm serves all: each is done when it is due. */
  override async alarm() {
    // Goes on by itself: a receiver that hangs holds nothing up here.
    if (this.#alarm.isDue("retranslate_at")) this.#retranslate();
    if (this.#alarm.isDue("flush_at")) await this.#flush.runOrPause();
    if (this.#alarm.isDue("audit_at")) await this.#audit.tell();
    this.#alarm.set();
  }

  /** Accepted is in the journal, and in the queue of what is forwarded, in one go. */
  #keep(now: number, facts: Facts | null, fresh: Point[], bytes: Uint8Array | undefined) {
    const isFirst = this.#memory.isEmpty;
    this.#memory.append(now, facts, fresh, bytes);
    if (isFirst) this.#flush.planFirst();
    this.#retranslation.keep(now, fresh, bytes);
  }

  #settleTrips() {
    return this.#turns.take(() => this.#trips.settle());
  }

  #retranslate() {
    this.#alarm.cancel("retranslate_at");
    this.#retranslation.run();
  }

  #owner() {
    if (!this.#device) throw new Error("a feed that nobody configured has no chunks");
    return this.#device;
  }
}
