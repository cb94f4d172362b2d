import { MAX_REPORTS_PER_CALL, type VisitingTracker, type VisitReport } from "#shared/contract/visit.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import { endsAfter } from "../../journal/points-after.ts";
import { logFailure } from "../../log-failure.ts";
import { earliestAt, type Point } from "../../point/point.ts";
import type { PointBatch } from "../../point/point-batch.ts";
import type { ChunkHeader } from "../../table/chunk/chunk.ts";
import { FRESH_MS, type RuleBookCopy } from "../watch/rule-copy.ts";
import type { WatchedParts } from "../watch/rule-watch.ts";
import { reachOfFixes, touches } from "./stop-reach.ts";
import { type FollowedStop, StopBook } from "./stop-store.ts";
import { cutVisits, type Fix, nextMoment, type Progress, progressOf, takeFix, type Visits } from "./visits.ts";

/** A stop whose visits are being followed, from when on. */
type Followed = { known: FollowedStop; start: number; visits: Visits };
/** How far visits have followed the points; `heard` is when the last fix came, by our clock. */
type Course = { pending: number | null; last: Fix | null; heard: number };

/**
 * Visits of the tracker's tasks follow points a moment behind their acceptance. From when on they have to is stored along
 * with the points; what they are, and that tasks have to hear of it, is stored in one go.
 */
export class VisitWatch {
  #ctx: DurableObjectState;
  #env: GeoEnv;
  #parts: WatchedParts;
  #owner: () => VisitingTracker | undefined;
  #copy: RuleBookCopy;
  #book: StopBook;
  #course: Course;
  /** The earliest time that came in while visits were being followed. */
  #came: number | null = null;
  /** When fixes came last, whether or not there was a stop to follow. */
  #heard: number | null = null;
  #isRunning = false;
  #isToRunAgain = false;
  #isToLookAgain = false;

  constructor(
    ctx: DurableObjectState,
    env: GeoEnv,
    parts: WatchedParts,
    copy: RuleBookCopy,
    owner: () => VisitingTracker | undefined,
  ) {
    this.#ctx = ctx;
    this.#env = env;
    this.#parts = parts;
    this.#owner = owner;
    this.#copy = copy;
    this.#book = new StopBook(ctx.storage);
    this.#course = ctx.storage.kv.get<Course>("visits") ?? { pending: null, last: null, heard: 0 };
  }

  /** There is no stop, so that points lead to nothing here. */
  get isIdle() {
    return this.#book.isEmpty;
  }

  /** In one go with the points: visits are to follow them. */
  note(sent: PointBatch, now: number) {
    const owner = this.#owner();
    const since = now - this.#lateMs;
    const first = sent.isPlain
      ? sent.firstSince(since)
      : sent.points.find(({ time, gsm_lbs }) => !gsm_lbs && time >= since);
    if (!owner || !first) return;
    this.#heard = now;
    if (this.#copy.isOld) this.#lookAgain();
    if (!this.#book.isEmpty) {
      this.#came = Math.min(this.#came ?? first.time, first.time);
      this.#keep({ ...this.#course, pending: Math.min(this.#course.pending ?? first.time, first.time), heard: now });
      // If the process dies first, the alarm does it.
      if (!this.#isRunning) this.#parts.alarm.schedule(RETRY_MS, "visits_at");
    } else if (!this.#isBehind(owner, now)) return;
    // A stop that is not known yet is followed from its beginning on, so nothing needs to be noted for it.
    this.#ctx.waitUntil(this.runOrPause());
  }

  async runOrPause() {
    this.#isToRunAgain = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#isToRunAgain) {
        this.#isToRunAgain = false;
        await this.#parts.mutex.run(() => this.#run());
        await this.#tell();
      }
      this.#planNext();
    } catch (thrown) {
      logFailure(thrown);
      this.#parts.alarm.schedule(RETRY_MS, "visits_at");
    } finally {
      this.#isRunning = false;
    }
  }

  /** One that comes while they are being followed comes again. */
  async wake() {
    if (this.#isRunning) this.#parts.alarm.schedule(RETRY_MS, "visits_at");
    else await this.runOrPause();
  }

  get #lateMs() {
    return Number(this.#env.VISIT_LATE_HOURS) * HOUR_MS;
  }

  #isBehind({ account_id }: VisitingTracker, now: number) {
    return this.#copy.work !== null && this.#book.isOlder(account_id, this.#copy.work, now);
  }

  /** The answer of less than a second ago may be none for a task of now: it is asked for once more. */
  #lookAgain() {
    if (this.#isToLookAgain) return;
    this.#isToLookAgain = true;
    const again = new Promise((resolve) => setTimeout(resolve, FRESH_MS)).then(async () => {
      this.#isToLookAgain = false;
      await this.#copy.refresh();
      const owner = this.#owner();
      if (owner && this.#isBehind(owner, nowMs(this.#env))) await this.runOrPause();
    });
    this.#ctx.waitUntil(again.catch(logFailure));
  }

  async #run() {
    const owner = this.#owner();
    if (!owner) return;
    await this.#copy.refresh();
    const now = nowMs(this.#env);
    const list = this.#isBehind(owner, now) ? await this.#env.TASKS.stopsOf(owner, now - this.#lateMs) : null;

    // What comes from here on is followed the next time.
    this.#came = null;
    const fresh = list ? this.#book.replace(owner.account_id, list, now) : [];
    const starts = this.#startsOfKnown();
    for (const { stop } of fresh) starts.set(stop.task_id, Math.max(stop.from, now - LONGEST_MS));
    const changed = await this.#follow(starts);
    this.#commit(changed.stops, changed.last, nowMs(this.#env));
  }

  /** From when on each stop has to be followed: where points came in order, from the last one on. */
  #startsOfKnown() {
    const { pending, last } = this.#course;
    const starts = new Map<number, number>();
    if (pending === null) return starts;
    const isLate = last === null || pending <= last.time;
    for (const { stop, visits } of this.#book.all) {
      // Of what lies before its time, the last fix alone counts; of what lies behind, that somebody is seen to have left.
      if (pending > stop.deadline && !visits.is_inside) continue;
      const from = isLate ? cutVisits(visits, Math.max(pending, stop.from)).from : last.time + 1;
      starts.set(stop.task_id, from);
    }
    return starts;
  }

  async #follow(starts: Map<number, number>) {
    const stops = this.#book.all.flatMap((known): Followed[] => {
      const start = starts.get(known.stop.task_id);
      return start === undefined ? [] : [{ known, ...this.#cut(known, start) }];
    });
    const { last } = this.#course;
    if (stops.length === 0) return { stops, last };
    const earliest = Math.min(...stops.map(({ start }) => start));
    const since = this.#parts.memory.lastBefore(earliest)?.time ?? earliest;
    let before = last && since <= last.time && last.time < earliest ? last : null;
    const isNeeded = (chunk: ChunkHeader) =>
      chunk.to >= earliest && (chunk.lbs_count > 0 || stops.some((one) => isNear(one, chunk)));
    for await (const points of endsAfter(this.#parts, earliestAt(since), isNeeded)) {
      const fixes = points.filter(({ gsm_lbs }) => !gsm_lbs);
      takeAll(stops, fixes, before);
      const latest = fixOf(fixes.at(-1));
      if (latest && (!before || latest.time >= before.time)) before = latest;
    }
    return { stops, last: before && (!last || before.time >= last.time) ? before : last };
  }

  /** What stands of the visits, and from when on fixes are taken. */
  #cut({ visits }: FollowedStop, start: number) {
    const { last } = this.#course;
    if (last !== null && start > last.time) return { visits, start };
    const cut = cutVisits(visits, start);
    return { visits: cut.visits, start: cut.from };
  }

  /** What time alone makes of visits shows here too, so that all are looked at where somebody is inside. */
  #commit(followed: Followed[], last: Fix | null, now: number) {
    const heard = this.#heard ?? (this.#course.heard || now);
    this.#keep({ pending: this.#came, last, heard });
    for (const { known, visits } of followed) {
      if (visits !== known.visits && JSON.stringify(visits) !== JSON.stringify(known.visits))
        this.#book.put({ ...known, visits });
    }
    for (const one of this.#book.all) {
      if (one.visits.list.length === 0 && one.progress === null) continue;
      const progress = progressOf(one.visits, one.stop, this.#timeOf(now));
      if (JSON.stringify(progress) === JSON.stringify(one.progress)) continue;
      this.#book.put({ ...one, progress, revision: Math.max(one.revision + 1, now) });
    }
    this.#book.forgetBefore(now - this.#lateMs);
  }

  /** A vehicle that says nothing is where it was: point time goes on as the clock does, from the last fix on. */
  #timeOf(now: number) {
    const { last, heard } = this.#course;
    return last === null ? Number.NEGATIVE_INFINITY : last.time + Math.max(0, now - heard);
  }

  async #tell() {
    const owner = this.#owner();
    const now = nowMs(this.#env);
    const due = owner ? this.#book.all.flatMap((one) => reportOf(one, now) ?? []) : [];
    for (let start = 0; owner && start < due.length; start += MAX_REPORTS_PER_CALL) {
      const part = due.slice(start, start + MAX_REPORTS_PER_CALL);
      await this.#env.TASKS.reportVisits(owner, part);
      for (const report of part) this.#book.told(report, now);
    }
  }

  #planNext() {
    const now = nowMs(this.#env);
    const ahead = this.#timeOf(now) - now;
    const moments = this.#book.all.flatMap((one) => {
      const next = nextMoment(one.visits, one.stop, now + ahead);
      const told = isTold(one) ? [] : [(one.told?.at ?? now) + PAUSE_MS];
      return next === null ? told : [...told, next - ahead];
    });
    if (moments.length === 0) this.#parts.alarm.cancel("visits_at");
    else this.#parts.alarm.schedule(Math.max(0, Math.min(...moments) - now), "visits_at");
  }

  #keep(course: Course) {
    if (JSON.stringify(course) === JSON.stringify(this.#course)) return;
    this.#course = course;
    this.#ctx.storage.kv.put("visits", course);
  }
}

/** Fixes that are near none of them, and that nobody leaves by, are passed over. */
function takeAll(stops: Followed[], fixes: Fix[], before: Fix | null) {
  const reach = reachOfFixes(before ? [before, ...fixes] : fixes);
  for (const one of stops) {
    const { stop } = one.known;
    if (!one.visits.is_inside && !touches(one.known.reach, reach)) continue;
    let previous = before;
    for (const fix of fixes) {
      if (fix.time >= one.start) one.visits = takeFix(one.visits, stop, fix, previous);
      previous = fix;
    }
  }
}

/** What tasks are to hear now: a turn at once, how long a stay has become once a minute. */
function reportOf({ stop, progress, revision, told, visits }: FollowedStop, now: number): VisitReport | undefined {
  if (!progress || told?.revision === revision) return undefined;
  const isTurn = !told || turnsOf(progress) !== turnsOf(told.progress) || !visits.is_inside;
  return isTurn || now - told.at >= PAUSE_MS ? { stop, revision, ...progress } : undefined;
}

function turnsOf({ arrival_date, arrived, stayed }: Progress) {
  return JSON.stringify([arrival_date, arrived, stayed]);
}

function isTold({ progress, revision, told }: FollowedStop) {
  return progress === null || told?.revision === revision;
}

/** Whether the points of the chunk may be at the stop, or show that it was left. */
function isNear({ known: { reach }, start }: Followed, chunk: ChunkHeader) {
  if (chunk.to < start) return false;
  // Over the date line, its west is greater than its east.
  const { south, north } = chunk;
  const [west, east] = chunk.west > chunk.east ? [-180, 180] : [chunk.west, chunk.east];
  return touches(reach, { south, west, north, east });
}

function fixOf(point: Point | undefined): Fix | null {
  return point ? { time: point.time, lat: point.lat, lng: point.lng } : null;
}

/** After this they are followed, or told, again where that failed. */
const RETRY_MS = 10_000;
/** So often tasks hear how long a stay has become. */
const PAUSE_MS = MINUTE_MS;
/** A task that is new counts visits of points no older than that. */
const LONGEST_MS = 31 * DAY_MS;
