import type { RetranslationStatus, Target, TargetsMessage } from "#shared/contract/tracker/retranslation.ts";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../env.ts";
import { boardOf } from "../object/addresses.ts";
import type { PointBatch } from "../point/point-batch.ts";
import { retryDelayMs } from "./back-off.ts";
import { DeliveryFailure } from "./delivery-failure.ts";
import { openSession } from "./open-session.ts";
import { advanceCursor, type Cursor, OutgoingPoints } from "./outgoing-points.ts";
import type { ReceiverSession } from "./receiver-session.ts";

/**
 * A target's progress, stored after every acknowledged batch. `retry_at` is by the runtime's clock, the other times by
 * the service's.
 */
type Progress = Cursor & {
  /** Consecutive failures since the last success. */
  failures: number;
  retry_at: number;
  last_success: number | null;
  last_error: { time: number; message: string } | null;
};

type BoundTarget = { target: Target; progress: Progress; pending: number; collects_until: number; isSending: boolean };
type Owner = Pick<TargetsMessage, "tracker_id" | "account_id" | "revision">;

/**
 * Forwards a feed's points to retranslators in the order of their acceptance. Each target has a cursor, which only its
 * receiver's acknowledgement advances, and a connection of its own, independent of the feed's other work.
 */
export class Retranslation {
  #ctx: DurableObjectState;
  #env: GeoEnv;
  #wakeUpIn: (ms: number) => void;
  /** Undefined for a tracker that never had a target. */
  #owner: Owner | undefined;
  #outgoing: OutgoingPoints | undefined;
  #targets = new Map<number, BoundTarget>();
  #sending = 0;
  /** The latest time of the alarm, by the runtime's clock. */
  #wakesAt = Number.POSITIVE_INFINITY;
  #isReporting = false;
  #hasChanges = true;
  #reportedAt = 0;
  #reportedState = "";
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, env: GeoEnv, wakeUpIn: (ms: number) => void, now: () => number = systemNow) {
    this.#now = now;
    this.#ctx = ctx;
    this.#env = env;
    this.#wakeUpIn = wakeUpIn;
    this.#owner = ctx.storage.kv.get<Owner>("retranslation");
    if (this.#owner) this.#load();
  }

  /**
   * Sets the targets. Points that wait for a changed target stay and are sent at once; those of a removed target are
   * dropped.
   */
  setTargets({ targets, ...owner }: TargetsMessage) {
    if (this.#owner && owner.revision <= this.#owner.revision) return;
    this.#ctx.storage.kv.put("retranslation", owner);
    this.#owner = owner;
    const outgoing = this.#outgoing ?? this.#load();
    const targetById = new Map(targets.map((target) => [target.retranslator_id, target]));
    for (const id of this.#targets.keys()) if (!targetById.has(id)) this.#forget(id);
    for (const target of targets) {
      const known = this.#targets.get(target.retranslator_id);
      if (known && JSON.stringify(known.target) === JSON.stringify(target)) continue;
      const progress = initialProgress(outgoing.last);
      const bound = known ?? { target, progress, pending: 0, collects_until: 0, isSending: false };
      bound.target = target;
      bound.collects_until = 0;
      bound.progress = { ...bound.progress, failures: 0, retry_at: 0 };
      this.#targets.set(target.retranslator_id, bound);
      this.#store(bound);
    }
    this.#deleteDelivered();
    this.#hasChanges = true;
    this.run();
  }

  clear() {
    if (this.#owner) this.setTargets({ ...this.#owner, revision: Number.MAX_SAFE_INTEGER, targets: [] });
  }

  get hasTargets() {
    return this.#targets.size > 0;
  }

  /** Queues accepted points for each target, in the transaction that stores them in the journal. */
  append(now: number, sent: PointBatch) {
    if (this.#targets.size === 0 || sent.count === 0) return;
    this.#outgoing?.append(now, sent.points, sent.bytes ?? undefined);
    for (const bound of this.#targets.values()) {
      // Points that follow soon are sent together.
      if (bound.pending === 0) bound.collects_until = this.#now() + COLLECT_MS;
      bound.pending += sent.count;
    }
    this.#hasChanges = true;
    this.#schedule();
  }

  /** Starts sessions that are due, without awaiting them. */
  run() {
    this.#wakesAt = Number.POSITIVE_INFINITY;
    this.#giveUp();
    this.#startSessions();
    this.#reportSoon();
    this.#schedule();
  }

  #load(): OutgoingPoints {
    const { sql } = this.#ctx.storage;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS target (retranslator_id INTEGER PRIMARY KEY, target TEXT NOT NULL, progress TEXT NOT NULL)",
    );
    const outgoing = new OutgoingPoints(sql);
    this.#outgoing = outgoing;
    type Row = { retranslator_id: number; target: string; progress: string };
    for (const row of sql.exec<Row>("SELECT * FROM target")) {
      const progress: Progress = JSON.parse(row.progress);
      const pending = outgoing.countAfter(progress);
      const target: Target = JSON.parse(row.target);
      this.#targets.set(row.retranslator_id, { target, progress, pending, collects_until: 0, isSending: false });
    }
    return outgoing;
  }

  #store({ target, progress }: BoundTarget) {
    this.#ctx.storage.sql.exec(
      "INSERT OR REPLACE INTO target VALUES (?, ?, ?)",
      target.retranslator_id,
      JSON.stringify(target),
      JSON.stringify(progress),
    );
  }

  #forget(retranslator_id: number) {
    this.#ctx.storage.sql.exec("DELETE FROM target WHERE retranslator_id = ?", retranslator_id);
    this.#targets.delete(retranslator_id);
  }

  /** Deletes points that every target has, or all if there is no target. */
  #deleteDelivered() {
    const rows = [...this.#targets.values()].map(({ progress }) => progress.row);
    this.#outgoing?.dropUntil(rows.length > 0 ? Math.min(...rows) : Number.MAX_SAFE_INTEGER);
  }

  #giveUp() {
    const now = nowMs(this.#env);
    const row = this.#outgoing?.overdue(now - Number(this.#env.RETRY_HOURS) * HOUR_MS);
    if (row === undefined || !this.#outgoing) return;
    for (const bound of this.#targets.values()) {
      if (bound.progress.row >= row) continue;
      const before = bound.pending;
      bound.progress = { ...bound.progress, row, offset: 0 };
      bound.pending = this.#outgoing.countAfter(bound.progress);
      const message = `${before - bound.pending} points were given up: nobody took them in time`;
      bound.progress.last_error = { time: now, message };
      this.#store(bound);
    }
    this.#deleteDelivered();
    this.#hasChanges = true;
  }

  // Sending

  /** Starts sessions of the targets that have waited longest; few at a time, as a Worker has few connections. */
  #startSessions() {
    const now = this.#now();
    const ready = [...this.#targets.values()].filter((bound) => isReady(bound) && dueAt(bound) <= now + TOLERANCE_MS);
    for (const bound of ready.sort((one, other) => dueAt(one) - dueAt(other))) {
      if (this.#sending >= MAX_SESSIONS) break;
      bound.isSending = true;
      this.#sending++;
      this.#ctx.waitUntil(this.#runSession(bound).finally(() => this.#endSession(bound)));
    }
  }

  #endSession(bound: BoundTarget) {
    bound.isSending = false;
    this.#sending--;
    this.#startSessions();
    this.#reportSoon();
    this.#schedule();
  }

  async #runSession(bound: BoundTarget) {
    const { target } = bound;
    const until = this.#now() + TIME_SLICE_MS;
    let session: ReceiverSession | undefined;
    try {
      session = await openSession(target, this.#env);
      while (bound.pending > 0 && this.#now() < until && this.#isCurrent(bound, target)) {
        await this.#deliver(bound, target, session);
      }
    } catch (thrown) {
      if (this.#isCurrent(bound, target)) this.#noteFailure(bound, thrown);
    } finally {
      session?.close();
    }
  }

  async #deliver(bound: BoundTarget, target: Target, session: ReceiverSession) {
    const start = bound.progress;
    const batch = this.#outgoing?.read(start, session.maxPoints);
    if (!batch || batch.points.length === 0) {
      bound.pending = 0;
      return;
    }
    let done = 0;
    let refusal: string | undefined;
    try {
      await session.deliver(batch.points, (count, refused) => {
        done += count;
        refusal = refused ?? refusal;
      });
    } finally {
      // Stored once per batch: the runtime sends nothing more before a write is on disk.
      if (done > 0) this.#noteAcknowledged(bound, target, advanceCursor(start, batch, done), done, refusal);
    }
    if (done === 0) throw new DeliveryFailure("the receiver took nothing");
  }

  #isCurrent(bound: BoundTarget, target: Target) {
    return this.#targets.get(target.retranslator_id) === bound && bound.target === target;
  }

  #noteAcknowledged(bound: BoundTarget, target: Target, cursor: Cursor, count: number, refused: string | undefined) {
    // The target was removed or got another receiver meanwhile: the new receiver needs these points, too.
    if (this.#targets.get(target.retranslator_id) !== bound || !isSameReceiver(bound.target, target)) return;
    // Points given up meanwhile stay given up.
    if (cursor.row < bound.progress.row) return;
    const now = nowMs(this.#env);
    const last_error = refused === undefined ? bound.progress.last_error : { time: now, message: refused };
    bound.progress = { ...cursor, failures: 0, retry_at: 0, last_success: now, last_error };
    bound.pending -= count;
    this.#hasChanges = true;
    this.#store(bound);
    this.#deleteDelivered();
  }

  #noteFailure(bound: BoundTarget, thrown: unknown) {
    const isExpected = thrown instanceof DeliveryFailure;
    if (!isExpected)
      console.error(JSON.stringify({ retranslation: thrown instanceof Error ? thrown.message : "unknown" }));
    const failures = bound.progress.failures + 1;
    const retry_at = this.#now() + retryDelayMs(failures, Number(this.#env.RETRANSLATION_PAUSE_SECONDS));
    const message = isExpected ? thrown.message : "sending failed";
    const last_error = { time: nowMs(this.#env), message };
    bound.progress = { ...bound.progress, failures, retry_at, last_error };
    this.#hasChanges = true;
    this.#store(bound);
  }

  // Alarm and reports

  #schedule() {
    const now = this.#now();
    const dues = [...this.#targets.values()].filter(isReady).map(dueAt);
    // A process may die during a session: the alarm starts it again.
    if (this.#sending > 0) dues.push(now + LEASE_MS);
    if (this.#hasChanges && this.#owner) dues.push(this.#reportedAt + REPORT_INTERVAL_MS);
    const at = Math.min(...dues);
    // Due targets wait for a free connection: the end of a session starts them.
    const next = this.#sending >= MAX_SESSIONS ? Math.max(at, now + LEASE_MS) : at;
    if (next >= this.#wakesAt || next === Number.POSITIVE_INFINITY) return;
    this.#wakesAt = next;
    this.#wakeUpIn(Math.max(next - now, 0));
  }

  /** Reports statuses to the account's board: at once when a target starts to work or to fail, else once a minute. */
  #reportSoon() {
    const statuses = [...this.#targets.values()].map(toStatus);
    const state = JSON.stringify([...this.#targets.values()].map(stateOf));
    const isDue = state !== this.#reportedState || this.#now() >= this.#reportedAt + REPORT_INTERVAL_MS;
    if (!this.#owner || !this.#hasChanges || !isDue || this.#isReporting) return;
    const { account_id, tracker_id } = this.#owner;
    this.#isReporting = true;
    this.#hasChanges = false;
    this.#reportedAt = this.#now();
    const report = boardOf(this.#env, account_id).put(tracker_id, statuses);
    const done = report.then(
      () => {
        this.#reportedState = state;
      },
      () => {
        this.#hasChanges = true;
      },
    );
    this.#ctx.waitUntil(
      done.finally(() => {
        this.#isReporting = false;
        this.#schedule();
      }),
    );
  }
}

function initialProgress(row: number): Progress {
  return { row, offset: 0, failures: 0, retry_at: 0, last_success: null, last_error: null };
}

function isSameReceiver(one: Target, other: Target) {
  const members = ["protocol_id", "address", "port", "login", "device_id"] as const;
  return members.every((member) => one[member] === other[member]);
}

function isReady({ pending, isSending }: BoundTarget) {
  return pending > 0 && !isSending;
}

function dueAt({ progress, collects_until }: BoundTarget) {
  return Math.max(progress.retry_at, collects_until);
}

function toStatus({ target: { retranslator_id }, progress, pending }: BoundTarget): RetranslationStatus {
  const { last_success, last_error } = progress;
  return { retranslator_id, last_success, last_error, backlog: pending };
}

function stateOf({ target, progress }: BoundTarget) {
  return [target.retranslator_id, progress.failures > 0, progress.last_success !== null, progress.last_error?.message];
}

/** Points are collected this long before they are sent. */
const COLLECT_MS = 500;
const TOLERANCE_MS = 100;
/** A target with a long backlog then leaves its connection to another target. */
const TIME_SLICE_MS = 30_000;
/** A Worker has six connections; the feed needs the others. */
const MAX_SESSIONS = 4;
const LEASE_MS = MINUTE_MS;
const REPORT_INTERVAL_MS = MINUTE_MS;
