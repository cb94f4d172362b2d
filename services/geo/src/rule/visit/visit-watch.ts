import { MAX_REPORTS_PER_CALL, type VisitingTracker, type VisitReport } from "#shared/contract/point/visit.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import { endsAfter } from "../../journal/points-after.ts";
import { logFailure } from "../../log-failure.ts";
import { earliestAt, type Point } from "../../point/point.ts";
import type { PointBatch } from "../../point/point-batch.ts";
import type { ChunkHeader } from "../../table/chunk/chunk.ts";
import type { FeedParts } from "../watch/rule-watch.ts";
import { REFRESH_INTERVAL_MS, type TrackerRules } from "../watch/tracker-rules.ts";
import { doReachesOverlap, reachOfFixes } from "./stop-reach.ts";
import { StopStore, type WatchedStop } from "./stop-store.ts";
import { applyFix, cutVisits, type Fix, nextChangeTime, type Progress, progressOf, type Visits } from "./visits.ts";

/** A stop whose visits are brought up to date with the fixes since `start`. */
type StopUpdate = { watched: WatchedStop; start: number; visits: Visits };
/**
 * How far visits are evaluated: the earliest time to evaluate from, the last fix, and our clock's time when it arrived.
 */
type WatchState = { pendingFrom: number | null; lastFix: Fix | null; heardAt: number };

/**
 * Computes how long the tracker was at the stops of its tasks and reports changes to the tasks service. It runs shortly
 * after points were acknowledged; the time to start from is stored in the same write as the points.
 */
export class VisitWatch {
  #ctx: DurableObjectState;
  #env: GeoEnv;
  #feed: FeedParts;
  #owner: () => VisitingTracker | undefined;
  #rules: TrackerRules;
  #stops: StopStore;
  #state: WatchState;
  /** The earliest time of points that arrived during a run: the next run starts from there. */
  #arrivedDuringRun: number | null = null;
  /** When the feed received the last fixes, by our clock, whether or not there was a stop. */
  #heardAt: number | null = null;
  #isRunning = false;
  #mustRunAgain = false;
  #isRefreshPlanned = false;

  constructor(
    ctx: DurableObjectState,
    env: GeoEnv,
    feed: FeedParts,
    rules: TrackerRules,
    owner: () => VisitingTracker | undefined,
  ) {
    this.#ctx = ctx;
    this.#env = env;
    this.#feed = feed;
    this.#owner = owner;
    this.#rules = rules;
    this.#stops = new StopStore(ctx.storage);
    this.#state = ctx.storage.kv.get<WatchState>("visits") ?? { pendingFrom: null, lastFix: null, heardAt: 0 };
  }

  /** True without stops: points change nothing here. */
  get isIdle() {
    return this.#stops.isEmpty;
  }

  /** Notes in the same write as the points that visits have to be evaluated from the earliest of them. */
  notePoints(batch: PointBatch, now: number) {
    const owner = this.#owner();
    const since = now - this.#lateMs;
    const first = batch.isPlain
      ? batch.firstSince(since)
      : batch.points.find(({ time, gsm_lbs }) => !gsm_lbs && time >= since);
    if (!owner || !first) return;
    this.#heardAt = now;
    if (this.#rules.isStale) this.#refreshLater();
    if (!this.#stops.isEmpty) {
      this.#arrivedDuringRun = Math.min(this.#arrivedDuringRun ?? first.time, first.time);
      this.#store({
        ...this.#state,
        pendingFrom: Math.min(this.#state.pendingFrom ?? first.time, first.time),
        heardAt: now,
      });
      // The alarm starts the evaluation if the process dies before it.
      if (!this.#isRunning) this.#feed.alarm.schedule(RETRY_DELAY_MS, "visits_at");
    } else if (!this.#hasOutdatedStops(owner, now)) return;
    // A new stop is evaluated from its own start, so no start time is stored for it.
    this.#ctx.waitUntil(this.runOrPause());
  }

  async runOrPause() {
    this.#mustRunAgain = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#mustRunAgain) {
        this.#mustRunAgain = false;
        await this.#feed.mutex.run(() => this.#update());
        await this.#deliver();
      }
      this.#scheduleNext();
    } catch (thrown) {
      logFailure(thrown);
      this.#feed.alarm.schedule(RETRY_DELAY_MS, "visits_at");
    } finally {
      this.#isRunning = false;
    }
  }

  /** Starts a run, or postpones it while one is under way. */
  async wake() {
    if (this.#isRunning) this.#feed.alarm.schedule(RETRY_DELAY_MS, "visits_at");
    else await this.runOrPause();
  }

  get #lateMs() {
    return Number(this.#env.VISIT_LATE_HOURS) * HOUR_MS;
  }

  #hasOutdatedStops({ account_id }: VisitingTracker, now: number) {
    return this.#rules.workRevision !== null && this.#stops.isOutdated(account_id, this.#rules.workRevision, now);
  }

  /**
   * Asks once more a second later: the tracker's rules were read less than a second ago, so a newer task may be
   * missing.
   */
  #refreshLater() {
    if (this.#isRefreshPlanned) return;
    this.#isRefreshPlanned = true;
    const again = new Promise((resolve) => setTimeout(resolve, REFRESH_INTERVAL_MS)).then(async () => {
      this.#isRefreshPlanned = false;
      await this.#rules.refresh();
      const owner = this.#owner();
      if (owner && this.#hasOutdatedStops(owner, nowMs(this.#env))) await this.runOrPause();
    });
    this.#ctx.waitUntil(again.catch(logFailure));
  }

  async #update() {
    const owner = this.#owner();
    if (!owner) return;
    await this.#rules.refresh();
    const now = nowMs(this.#env);
    const list = this.#hasOutdatedStops(owner, now) ? await this.#env.TASKS.stopsOf(owner, now - this.#lateMs) : null;

    // Points that arrive from here on belong to the next run.
    this.#arrivedDuringRun = null;
    const newStops = list ? this.#stops.replace(owner.account_id, list, now) : [];
    const starts = this.#startTimes();
    for (const { stop } of newStops) starts.set(stop.task_id, Math.max(stop.from, now - MAX_VISIT_AGE_MS));
    const updated = await this.#updateVisits(starts);
    this.#commit(updated.stops, updated.lastFix, nowMs(this.#env));
  }

  /**
   * The time from which each stop is evaluated: after the last fix if points came in order, earlier for late points.
   */
  #startTimes() {
    const { pendingFrom, lastFix } = this.#state;
    const starts = new Map<number, number>();
    if (pendingFrom === null) return starts;
    const isLate = lastFix === null || pendingFrom <= lastFix.time;
    for (const { stop, visits } of this.#stops.all) {
      // Fixes after the deadline matter only for a tracker that is still inside: they show that it left.
      if (pendingFrom > stop.deadline && !visits.is_inside) continue;
      const from = isLate ? cutVisits(visits, Math.max(pendingFrom, stop.from)).from : lastFix.time + 1;
      starts.set(stop.task_id, from);
    }
    return starts;
  }

  async #updateVisits(starts: Map<number, number>) {
    const stops = this.#stops.all.flatMap((watched): StopUpdate[] => {
      const start = starts.get(watched.stop.task_id);
      return start === undefined ? [] : [{ watched, ...this.#cutAt(watched, start) }];
    });
    const { lastFix } = this.#state;
    if (stops.length === 0) return { stops, lastFix };
    const earliest = Math.min(...stops.map(({ start }) => start));
    const since = this.#feed.memory.lastBefore(earliest)?.time ?? earliest;
    let before = lastFix && since <= lastFix.time && lastFix.time < earliest ? lastFix : null;
    const isNeeded = (chunk: ChunkHeader) =>
      chunk.to >= earliest && (chunk.lbs_count > 0 || stops.some((one) => mayConcern(one, chunk)));
    for await (const points of endsAfter(this.#feed, earliestAt(since), isNeeded)) {
      const fixes = points.filter(({ gsm_lbs }) => !gsm_lbs);
      applyFixes(stops, fixes, before);
      const latest = toFix(fixes.at(-1));
      if (latest && (!before || latest.time >= before.time)) before = latest;
    }
    return { stops, lastFix: before && (!lastFix || before.time >= lastFix.time) ? before : lastFix };
  }

  /** The visits that fixes from `start` on cannot change, and the time from which fixes have to be applied. */
  #cutAt({ visits }: WatchedStop, start: number) {
    const { lastFix } = this.#state;
    if (lastFix !== null && start > lastFix.time) return { visits, start };
    const cut = cutVisits(visits, start);
    return { visits: cut.visits, start: cut.from };
  }

  /**
   * Stores the visits, and the progress of every stop: it also changes without new fixes while the tracker stays
   * inside.
   */
  #commit(updates: StopUpdate[], lastFix: Fix | null, now: number) {
    const heardAt = this.#heardAt ?? (this.#state.heardAt || now);
    this.#store({ pendingFrom: this.#arrivedDuringRun, lastFix, heardAt });
    for (const { watched, visits } of updates) {
      if (visits !== watched.visits && JSON.stringify(visits) !== JSON.stringify(watched.visits))
        this.#stops.put({ ...watched, visits });
    }
    for (const one of this.#stops.all) {
      if (one.visits.list.length === 0 && one.progress === null) continue;
      const progress = progressOf(one.visits, one.stop, this.#vehicleTimeAt(now));
      if (JSON.stringify(progress) === JSON.stringify(one.progress)) continue;
      this.#stops.put({ ...one, progress, revision: Math.max(one.revision + 1, now) });
    }
    this.#stops.deleteBefore(now - this.#lateMs);
  }

  /** The vehicle's time now: a silent vehicle is assumed to stay where its last fix was while our clock runs on. */
  #vehicleTimeAt(now: number) {
    const { lastFix, heardAt } = this.#state;
    return lastFix === null ? Number.NEGATIVE_INFINITY : lastFix.time + Math.max(0, now - heardAt);
  }

  async #deliver() {
    const owner = this.#owner();
    const now = nowMs(this.#env);
    const due = owner ? this.#stops.all.flatMap((one) => dueReportOf(one, now) ?? []) : [];
    for (let start = 0; owner && start < due.length; start += MAX_REPORTS_PER_CALL) {
      const batch = due.slice(start, start + MAX_REPORTS_PER_CALL);
      await this.#env.TASKS.reportVisits(owner, batch);
      for (const report of batch) this.#stops.markDelivered(report, now);
    }
  }

  #scheduleNext() {
    const now = nowMs(this.#env);
    const ahead = this.#vehicleTimeAt(now) - now;
    const moments = this.#stops.all.flatMap((one) => {
      const next = nextChangeTime(one.visits, one.stop, now + ahead);
      const reportDue = isDelivered(one) ? [] : [(one.delivered?.at ?? now) + REPORT_INTERVAL_MS];
      return next === null ? reportDue : [...reportDue, next - ahead];
    });
    if (moments.length === 0) this.#feed.alarm.cancel("visits_at");
    else this.#feed.alarm.schedule(Math.max(0, Math.min(...moments) - now), "visits_at");
  }

  #store(state: WatchState) {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#ctx.storage.kv.put("visits", state);
  }
}

/** Applies fixes to the stops in place. A stop that is left alone: the tracker is outside, and no fix is near. */
function applyFixes(updates: StopUpdate[], fixes: Fix[], before: Fix | null) {
  const reach = reachOfFixes(before ? [before, ...fixes] : fixes);
  for (const one of updates) {
    const { stop } = one.watched;
    if (!one.visits.is_inside && !doReachesOverlap(one.watched.reach, reach)) continue;
    let previous = before;
    for (const fix of fixes) {
      if (fix.time >= one.start) one.visits = applyFix(one.visits, stop, fix, previous);
      previous = fix;
    }
  }
}

/** The report that is due: arrivals and departures at once, the growing length of a stay once a minute. */
function dueReportOf(
  { stop, progress, revision, delivered, visits }: WatchedStop,
  now: number,
): VisitReport | undefined {
  if (!progress || delivered?.revision === revision) return undefined;
  const hasNewMilestone =
    !delivered || milestonesOf(progress) !== milestonesOf(delivered.progress) || !visits.is_inside;
  return hasNewMilestone || now - delivered.at >= REPORT_INTERVAL_MS ? { stop, revision, ...progress } : undefined;
}

function milestonesOf({ arrival_date, arrived, stayed }: Progress) {
  return JSON.stringify([arrival_date, arrived, stayed]);
}

function isDelivered({ progress, revision, delivered }: WatchedStop) {
  return progress === null || delivered?.revision === revision;
}

/** Whether points of the chunk may be at the stop, or show that the tracker left it. */
function mayConcern({ watched: { reach }, start }: StopUpdate, chunk: ChunkHeader) {
  if (chunk.to < start) return false;
  // A chunk over the date line has a west greater than its east.
  const { south, north } = chunk;
  const [west, east] = chunk.west > chunk.east ? [-180, 180] : [chunk.west, chunk.east];
  return doReachesOverlap(reach, { south, west, north, east });
}

function toFix(point: Point | undefined): Fix | null {
  return point ? { time: point.time, lat: point.lat, lng: point.lng } : null;
}

/** Delay after which a failed evaluation or report is tried again. */
const RETRY_DELAY_MS = 10_000;
/** The length of a running stay is reported this often. */
const REPORT_INTERVAL_MS = MINUTE_MS;
/** Visits of a new task are computed from points of this age at most. */
const MAX_VISIT_AGE_MS = 31 * DAY_MS;
