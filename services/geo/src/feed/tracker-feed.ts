import { DurableObject } from "cloudflare:workers";
import { Mutex } from "#shared/background/mutex.ts";
import type { AuditEntry } from "#shared/caller/audit.ts";
import type { Activity } from "#shared/contract/event/activity.ts";
import type { LastValues } from "#shared/contract/point/last-values.ts";
import type { MarkSearch, MeterMarks, MeterSearch, MeterValues } from "#shared/contract/point/meter.ts";
import type { Device } from "#shared/contract/tracker/device.ts";
import type { TargetsMessage } from "#shared/contract/tracker/retranslation.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { GeoEnv } from "../env.ts";
import { Retranslation } from "../forwarding/retranslation.ts";
import { LastState } from "../journal/last-state.ts";
import { openPointsWithin } from "../journal/open-points.ts";
import { PointMemory } from "../journal/point-memory.ts";
import { StoredChunks } from "../journal/stored-chunks.ts";
import { logFailure } from "../log-failure.ts";
import { Alarm } from "../object/alarm.ts";
import type { Acceptance, Feed, TrackerCondition } from "../object/feed.ts";
import type { FeedState } from "../object/feed-state.ts";
import type { MomentSearch, Moments } from "../object/moments.ts";
import type { OpenPoints } from "../object/open-points.ts";
import type { Refusal, Sender } from "../object/sender.ts";
import type { SharedLine } from "../object/shared-journal.ts";
import type { NumberedTrip, TripSettings } from "../object/trip.ts";
import type { Bounds } from "../point/bounds.ts";
import type { Facts } from "../point/facts.ts";
import { PointBatch } from "../point/point-batch.ts";
import { VisitWatch } from "../rule/visit/visit-watch.ts";
import { RuleWatch } from "../rule/watch/rule-watch.ts";
import { Trips } from "../trip/trips.ts";
import { AuditOutbox } from "./audit-outbox.ts";
import { isOutdated, lifecycleEventOf, refusalOf } from "./device-configuration.ts";
import { eraseStorage, isErased, isStorageEmpty } from "./erasure.ts";
import { extentOf } from "./extent.ts";
import { Flush } from "./flush.ts";
import { LbsFilter } from "./lbs-filter.ts";
import { Listeners } from "./listeners.ts";
import { SharedJournalWriter } from "./shared-journal-writer.ts";

/**
 * Durable Object of one tracker, named by its id: accepts points and derives trips, state and counters. Points stay
 * open (in memory and a journal) until a flush merges them into chunks. A point in both places counts once: lists merge
 * by identity, so a crash between two steps does no harm.
 */
export class TrackerFeed extends DurableObject<GeoEnv> implements Feed {
  #alarm: Alarm;
  #audit: AuditOutbox;
  #state: LastState;
  #stored: StoredChunks;
  #memory: PointMemory;
  #trips: Trips;
  #retranslation: Retranslation;
  #flush: Flush;
  #lbs: LbsFilter;
  #listeners: Listeners;
  #rules: RuleWatch;
  #visits: VisitWatch;
  #sharedJournal: SharedJournalWriter;
  /** Serializes flushes, recomputation of trips and removal of points. */
  #mutex = new Mutex();
  #device: Device | undefined;
  #ingestKeyHash: string | null;

  constructor(ctx: DurableObjectState, env: GeoEnv) {
    super(ctx, env);
    const { storage } = ctx;
    this.#alarm = new Alarm(ctx);
    this.#audit = new AuditOutbox(storage, env, this.#alarm);
    this.#state = new LastState(storage);
    this.#stored = new StoredChunks(storage, env, () => this.#owner());
    this.#memory = new PointMemory(ctx, env, this.#stored, this.#state);
    this.#trips = new Trips(storage, env, this.#stored, this.#memory);
    this.#retranslation = new Retranslation(ctx, env, (ms) => this.#alarm.schedule(ms, "retranslate_at"));
    const tracker = { memory: this.#memory, stored: this.#stored, trips: this.#trips };
    const dependencies = { ...tracker, alarm: this.#alarm, mutex: this.#mutex };
    this.#flush = new Flush(ctx, dependencies);
    this.#rules = new RuleWatch(ctx, env, dependencies, () => this.#device);
    this.#visits = new VisitWatch(ctx, env, dependencies, this.#rules.trackerRules, () => this.#device);
    const watchers = { rules: this.#rules, visits: this.#visits, retranslation: this.#retranslation };
    this.#sharedJournal = new SharedJournalWriter(env, { memory: this.#memory, ...watchers }, () => this.#owner());
    this.#lbs = new LbsFilter(storage.kv);
    this.#listeners = new Listeners(ctx, env);
    this.#device = storage.kv.get<Device>("device");
    this.#ingestKeyHash = storage.kv.get<string>("ingest_key") ?? null;
    const { shared } = this.#memory;
    if (shared.isUsed) ctx.blockConcurrencyWhile(() => shared.read().then((lines) => this.#restore(lines)));
    else this.#restore([]);
  }

  // Device and targets

  async configure(device: Device): Promise<void> {
    if (isErased(this.ctx.storage) || isOutdated(device, this.#device)) return;
    const before = this.#device;
    this.ctx.storage.kv.put("device", device);
    this.#device = device;
    const event = lifecycleEventOf(before, device);
    if (event) this.#listeners.reportLifecycle(device.tracker_id, event, this.#condition(nowMs(this.env)));
    if (device.removed) this.#retranslation.clear();
  }

  async setTargets(message: TargetsMessage): Promise<void> {
    if (this.#device && !this.#device.removed) this.#retranslation.setTargets(message);
  }

  async setIngestKey(hash: string | null, entry: AuditEntry): Promise<void> {
    this.ctx.storage.kv.put("ingest_key", hash);
    this.#audit.record(entry);
    this.#ingestKeyHash = hash;
  }

  async lbsRadiusMeters(): Promise<number> {
    return this.#lbs.maxRadiusMeters;
  }

  async setLbsRadiusMeters(radius: number, entry: AuditEntry): Promise<void> {
    this.#lbs.set(radius);
    this.#audit.record(entry);
  }

  async refusal(sender: Sender, count: number): Promise<Refusal | null> {
    this.#catchUp(nowMs(this.env));
    return this.#refusalOf(sender) ?? (this.#memory.canHoldAhead(count) ? null : "busy");
  }

  // Points

  async accept(bytes: Uint8Array, sender: Sender, facts: Facts | null = null): Promise<Acceptance> {
    const refused = this.#refusalOf(sender);
    if (refused) return { refused };
    const sent = PointBatch.read(bytes);
    const filtered = this.#lbs.filter(sent);
    const [put] = await Promise.all([
      this.#sharedJournal.append({ sent, accepted: filtered, facts }),
      this.#stored.loadIdentities(filtered),
    ]);

    // No await below: no other call may run between the check for duplicates and the insertion.
    const now = nowMs(this.env);
    this.#catchUp(now);
    const fresh = this.#memory.withoutStored(filtered);
    this.#stored.trim();
    const due = this.#memory.due(fresh, now);
    const ahead = due === fresh ? [] : fresh.points.slice(due.count);
    if (!this.#memory.canHoldAhead(ahead.length)) return { refused: "busy" };
    const isFirst = this.#memory.isEmpty;
    if (put) this.#memory.shared.add(put.line);
    else if (fresh.count > 0 || facts) this.#appendToJournal(now, facts, fresh);
    if (isFirst && !this.#memory.isEmpty) this.#flush.schedule();
    this.#addDue(due, now);
    this.#memory.addAhead(ahead);
    this.#state.observeMessage(now, facts);
    this.#listeners.reportChange(this.#owner().tracker_id, () => this.#condition(nowMs(this.env)));
    if (!this.#flush.isUnderWay) this.#memory.compactWhenLong(now);
    this.#flush.runWhenFull();
    return { accepted: fresh.count, duplicates: filtered.count - fresh.count };
  }

  async openPoints(from: number, to: number): Promise<OpenPoints> {
    return openPointsWithin(this.#memory.all, this.#stored.catalogue, from, to);
  }

  async extent(from: number, to: number): Promise<Bounds | null> {
    return extentOf(this.#memory.all, this.#stored.catalogue, from, to);
  }

  /** Writes all open points to the database now; throws if it does not answer. */
  async flush() {
    this.#catchUp(nowMs(this.env));
    await this.#flush.run();
  }

  // State

  async state(now: number): Promise<TrackerCondition> {
    return this.#condition(now);
  }

  async subscribe(relay: string, until: number, now: number): Promise<TrackerCondition> {
    if (this.#device && !this.#device.removed) this.#listeners.add(relay, until);
    return this.#condition(now);
  }

  async lastValues(): Promise<LastValues> {
    this.#catchUp(nowMs(this.env));
    return this.#state.values();
  }

  async lastGpsPoint(): Promise<FeedState["last_fix"]> {
    this.#catchUp(nowMs(this.env));
    return this.#state.current.last_fix;
  }

  async lastPositionFor(account_id: number): Promise<{ time: number; lat: number; lng: number } | null> {
    const fix = this.#device?.account_id === account_id ? await this.lastGpsPoint() : null;
    return fix && { time: fix.time, lat: fix.lat, lng: fix.lng };
  }

  async evaluateActivities(activities: Activity[]): Promise<void> {
    await this.#rules.evaluateActivities(activities, await this.lastGpsPoint());
  }

  // Trips

  async trips(from: number, to: number): Promise<NumberedTrip[]> {
    await this.#recomputeTrips();
    return this.#trips.touching(from, to);
  }

  async tripsWithOpenPoints(from: number, to: number, ids?: number[]) {
    await this.#recomputeTrips();
    const trips = ids ? this.#trips.byIds(ids) : this.#trips.touching(from, to);
    const since = ids ? Math.max(from, trips[0]?.start_time ?? to) : from;
    const until = ids ? Math.min(to, trips.at(-1)?.end_time ?? to) : to;
    return { trips, opened: openPointsWithin(this.#memory.all, this.#stored.catalogue, since, until) };
  }

  async settings(): Promise<TripSettings> {
    return this.#trips.settings;
  }

  async setSettings(settings: TripSettings, entry: AuditEntry): Promise<void> {
    this.#trips.setSettings(settings);
    this.#audit.record(entry);
    this.ctx.waitUntil(this.#recomputeTrips().catch(logFailure));
  }

  // Counters

  meterValues(search: MeterSearch): Promise<MeterValues> {
    this.#catchUp(nowMs(this.env));
    return this.#stored.meter.values(search, () => this.#memory.open);
  }

  momentValues(search: MomentSearch): Promise<Moments> {
    this.#catchUp(nowMs(this.env));
    return this.#stored.meter.moments(search, () => this.#memory.open);
  }

  meterMarks(search: MarkSearch): Promise<MeterMarks> {
    this.#catchUp(nowMs(this.env));
    return this.#stored.meter.marks(search, () => this.#memory.open);
  }

  async pinMeter(): Promise<number | null> {
    this.#catchUp(nowMs(this.env));
    const time = this.#memory.last()?.time ?? null;
    if (time !== null) this.#stored.meter.pin(time);
    return time;
  }

  // Removal of points and of the whole tracker

  async forgetPoints(before: number): Promise<void> {
    if (isErased(this.ctx.storage)) return;
    await this.#mutex.run(async () => {
      // Chunks whose deletion failed at the last sweep.
      await this.#stored.deleteForgotten();
      const chunks = await this.#stored.forget(before);
      const last = chunks?.at(-1);
      if (last) this.#trips.forget(last.to);
      if (chunks) await this.#stored.deleteForgotten();
      // The next sweep continues with the reloaded chunks.
      else await this.#trips.reload();
    });
  }

  async erase(): Promise<void> {
    // A running flush would write points again: the mutex waits for its end.
    await this.#mutex.run(() => eraseStorage(this.ctx.storage));
    this.#alarm.clear();
    this.ctx.abort("erased");
  }

  async isErased(): Promise<boolean> {
    return isErased(this.ctx.storage) && isStorageEmpty(this.ctx.storage);
  }

  async moveSharedLines(numbers: number[]): Promise<void> {
    if (isErased(this.ctx.storage)) return;
    // A running flush releases its own lines: the mutex waits for its end.
    await this.#mutex.run(async () => this.#memory.moveSharedLines(numbers, nowMs(this.env)));
  }

  /** Runs every purpose of the alarm that is due. */
  override async alarm() {
    // Not awaited: a receiver that hangs must not delay the other purposes.
    if (this.#alarm.isDue("retranslate_at")) {
      this.#alarm.cancel("retranslate_at");
      this.#retranslation.run();
    }
    if (this.#alarm.isDue("flush_at")) {
      this.#catchUp(nowMs(this.env));
      await this.#flush.runOrRetryLater();
    }
    if (this.#alarm.isDue("silence_at")) this.#rules.checkSilence(this.#state.current.last_message);
    if (this.#alarm.isDue("rules_at")) await this.#rules.runOrPause();
    if (this.#alarm.isDue("visits_at")) await this.#visits.wake();
    if (this.#alarm.isDue("events_at")) await this.#rules.events.deliver();
    if (this.#alarm.isDue("audit_at")) await this.#audit.deliver();
    this.#alarm.set();
  }

  #restore(lines: SharedLine[]) {
    this.#memory.restore(nowMs(this.env), lines);
    this.#trips.restore();
    // The process may have died between storing the first line and planning its flush.
    if (!this.#memory.isEmpty && !this.#alarm.isScheduled("flush_at")) this.#flush.schedule();
  }

  #condition(now: number): TrackerCondition {
    this.#catchUp(now);
    return { ...this.#state.current, movement: this.#trips.movement(now), last_moved: this.#trips.lastMoved() };
  }

  #refusalOf(sender: Sender): Refusal | null {
    return refusalOf(this.#device, this.#ingestKeyHash, sender, this.env) ?? (this.#memory.isFull ? "busy" : null);
  }

  /** Stores the points in the journal and in the queues of retranslators, in one transaction. */
  #appendToJournal(now: number, facts: Facts | null, fresh: PointBatch) {
    this.#memory.append(now, facts, fresh);
    this.#retranslation.append(now, fresh);
  }

  /** Adds points that were ahead of the clock once the clock has reached them, as if they arrived only now. */
  #catchUp(now: number) {
    const due = this.#memory.removeDue(now);
    if (due.length > 0) this.#addDue(PointBatch.of(due), now);
  }

  /** Adds new points that the clock has reached to the open ones, trips, rules, visits and state. */
  #addDue(due: PointBatch, now: number) {
    this.#trips.noteAdded(this.#memory.add(due));
    this.#rules.notePoints(due, now);
    this.#visits.notePoints(due, now);
    this.#state.observePoints(now, due.newest);
  }

  #recomputeTrips() {
    this.#catchUp(nowMs(this.env));
    return this.#mutex.run(() => this.#trips.recompute());
  }

  #owner() {
    if (!this.#device) throw new Error("a feed that nobody configured has no chunks");
    return this.#device;
  }
}
