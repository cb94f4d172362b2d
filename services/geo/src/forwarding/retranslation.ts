import type { RetranslationStatus, Target, TargetsMessage } from "#shared/contract/retranslation.ts";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../env.ts";
import { boardOf } from "../object/addresses.ts";
import type { PointBatch } from "../point/point-batch.ts";
import { pauseMs } from "./back-off.ts";
import { Failure } from "./failure.ts";
import { openSession } from "./open-session.ts";
import { advanced, type Cursor, Outgoing } from "./outgoing.ts";
import type { Session } from "./session.ts";

/** How far a target got; stored with every batch that the receiver acknowledged. Times of trying are the runtime's, the others ours. */
type Progress = Cursor & {
  /** In a row, since the last success. */
  failures: number;
  tries_at: number;
  last_success: number | null;
  last_error: { time: number; message: string } | null;
};

type Bound = { target: Target; progress: Progress; waiting: number; gathers_until: number; isSending: boolean };
type Owner = Pick<TargetsMessage, "tracker_id" | "account_id" | "revision">;

/**
 * What a tracker's feed forwards to third parties: points in the order in which they were accepted, from a cursor for each
 * target, which only the receiver's acknowledgement moves on. Each target has a conversation of its own, beside all else
 * that the feed does.
 */
export class Retranslation {
  #ctx: DurableObjectState;
  #env: GeoEnv;
  #wakeUpIn: (ms: number) => void;
  /** Of a tracker that never had a target there is nothing. */
  #owner: Owner | undefined;
  #outgoing: Outgoing | undefined;
  #bound = new Map<number, Bound>();
  #sending = 0;
  /** By the runtime's clock; when the alarm comes at the latest. */
  #wakesAt = Number.POSITIVE_INFINITY;
  #isTelling = false;
  #hasNews = true;
  #toldAt = 0;
  #toldState = "";
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, env: GeoEnv, wakeUpIn: (ms: number) => void, now: () => number = systemNow) {
    this.#now = now;
    this.#ctx = ctx;
    this.#env = env;
    this.#wakeUpIn = wakeUpIn;
    this.#owner = ctx.storage.kv.get<Owner>("retranslation");
    if (this.#owner) this.#load();
  }

  /** What waits for a target stays when the target changes, and is tried at once; without the target it goes. */
  setTargets({ targets, ...owner }: TargetsMessage) {
    if (this.#owner && owner.revision <= this.#owner.revision) return;
    this.#ctx.storage.kv.put("retranslation", owner);
    this.#owner = owner;
    const outgoing = this.#outgoing ?? this.#load();
    const wanted = new Map(targets.map((target) => [target.retranslator_id, target]));
    for (const id of this.#bound.keys()) if (!wanted.has(id)) this.#forget(id);
    for (const target of targets) {
      const known = this.#bound.get(target.retranslator_id);
      if (known && JSON.stringify(known.target) === JSON.stringify(target)) continue;
      const progress = known ? { ...known.progress, failures: 0, tries_at: 0 } : startAt(outgoing.last);
      const bound = known ?? { target, progress, waiting: 0, gathers_until: 0, isSending: false };
      this.#bound.set(target.retranslator_id, Object.assign(bound, { target, progress, gathers_until: 0 }));
      this.#store(bound);
    }
    this.#dropDone();
    this.#hasNews = true;
    this.run();
  }

  clear() {
    if (this.#owner) this.setTargets({ ...this.#owner, revision: Number.MAX_SAFE_INTEGER, targets: [] });
  }

  get isBound() {
    return this.#bound.size > 0;
  }

  /** In one go with the journal's row: accepted is kept for each target too. */
  keep(now: number, sent: PointBatch) {
    if (this.#bound.size === 0 || sent.count === 0) return;
    this.#outgoing?.append(now, sent.points, sent.bytes ?? undefined);
    for (const bound of this.#bound.values()) {
      // Those that follow closely go along.
      if (bound.waiting === 0) bound.gathers_until = this.#now() + GATHER_MS;
      bound.waiting += sent.count;
    }
    this.#hasNews = true;
    this.#schedule();
  }

  /** Begins what is due and lets it go on by itself. */
  run() {
    this.#wakesAt = Number.POSITIVE_INFINITY;
    this.#giveUp();
    this.#begin();
    this.#tellSoon();
    this.#schedule();
  }

  #load(): Outgoing {
    const { sql } = this.#ctx.storage;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS target (retranslator_id INTEGER PRIMARY KEY, target TEXT NOT NULL, progress TEXT NOT NULL)",
    );
    const outgoing = new Outgoing(sql);
    this.#outgoing = outgoing;
    type Row = { retranslator_id: number; target: string; progress: string };
    for (const row of sql.exec<Row>("SELECT * FROM target")) {
      const progress: Progress = JSON.parse(row.progress);
      const waiting = outgoing.countBehind(progress);
      const target: Target = JSON.parse(row.target);
      this.#bound.set(row.retranslator_id, { target, progress, waiting, gathers_until: 0, isSending: false });
    }
    return outgoing;
  }

  #store({ target, progress }: Bound) {
    this.#ctx.storage.sql.exec(
      "INSERT OR REPLACE INTO target VALUES (?, ?, ?)",
      target.retranslator_id,
      JSON.stringify(target),
      JSON.stringify(progress),
    );
  }

  #forget(retranslator_id: number) {
    this.#ctx.storage.sql.exec("DELETE FROM target WHERE retranslator_id = ?", retranslator_id);
    this.#bound.delete(retranslator_id);
  }

  /** What every target has, or nobody is to have, is kept no longer. */
  #dropDone() {
    const rows = [...this.#bound.values()].map(({ progress }) => progress.row);
    this.#outgoing?.dropUntil(rows.length > 0 ? Math.min(...rows) : Number.MAX_SAFE_INTEGER);
  }

  #giveUp() {
    const now = nowMs(this.#env);
    const row = this.#outgoing?.overdue(now - Number(this.#env.RETRY_HOURS) * HOUR_MS);
    if (row === undefined || !this.#outgoing) return;
    for (const bound of this.#bound.values()) {
      if (bound.progress.row >= row) continue;
      const before = bound.waiting;
      bound.progress = { ...bound.progress, row, offset: 0 };
      bound.waiting = this.#outgoing.countBehind(bound.progress);
      const message = `${before - bound.waiting} points were given up: nobody took them in time`;
      bound.progress.last_error = { time: now, message };
      this.#store(bound);
    }
    this.#dropDone();
    this.#hasNews = true;
  }

  // Sending

  /** Those that have waited longest first; a few at a time, as a Worker has few connections. */
  #begin() {
    const now = this.#now();
    const ready = [...this.#bound.values()].filter((bound) => isReady(bound) && dueAt(bound) <= now + EARLY_MS);
    for (const bound of ready.sort((one, other) => dueAt(one) - dueAt(other))) {
      if (this.#sending >= MOST_CONVERSATIONS) break;
      bound.isSending = true;
      this.#sending++;
      this.#ctx.waitUntil(this.#converse(bound).finally(() => this.#ended(bound)));
    }
  }

  #ended(bound: Bound) {
    bound.isSending = false;
    this.#sending--;
    this.#begin();
    this.#tellSoon();
    this.#schedule();
  }

  async #converse(bound: Bound) {
    const { target } = bound;
    const until = this.#now() + TURN_MS;
    let session: Session | undefined;
    try {
      session = await openSession(target, this.#env);
      while (bound.waiting > 0 && this.#now() < until && this.#isCurrent(bound, target)) {
        await this.#deliver(bound, target, session);
      }
    } catch (thrown) {
      if (this.#isCurrent(bound, target)) this.#failed(bound, thrown);
    } finally {
      session?.close();
    }
  }

  async #deliver(bound: Bound, target: Target, session: Session) {
    const start = bound.progress;
    const batch = this.#outgoing?.read(start, session.most);
    if (!batch || batch.points.length === 0) {
      bound.waiting = 0;
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
      // Noted once a batch: before a note is on the disk nothing more would leave.
      if (done > 0) this.#acknowledged(bound, target, advanced(start, batch, done), done, refusal);
    }
    if (done === 0) throw new Failure("the receiver took nothing");
  }

  #isCurrent(bound: Bound, target: Target) {
    return this.#bound.get(target.retranslator_id) === bound && bound.target === target;
  }

  #acknowledged(bound: Bound, target: Target, cursor: Cursor, count: number, refused: string | undefined) {
    // Unbound meanwhile, or sent elsewhere from now on: there they are to be had once more.
    if (this.#bound.get(target.retranslator_id) !== bound || !isSameReceiver(bound.target, target)) return;
    // What was given up meanwhile stays so.
    if (cursor.row < bound.progress.row) return;
    const now = nowMs(this.#env);
    const last_error = refused === undefined ? bound.progress.last_error : { time: now, message: refused };
    bound.progress = { ...cursor, failures: 0, tries_at: 0, last_success: now, last_error };
    bound.waiting -= count;
    this.#hasNews = true;
    this.#store(bound);
    this.#dropDone();
  }

  #failed(bound: Bound, thrown: unknown) {
    const isExpected = thrown instanceof Failure;
    if (!isExpected)
      console.error(JSON.stringify({ retranslation: thrown instanceof Error ? thrown.message : "unknown" }));
    const failures = bound.progress.failures + 1;
    const tries_at = this.#now() + pauseMs(failures, Number(this.#env.RETRANSLATION_PAUSE_SECONDS));
    const message = isExpected ? thrown.message : "sending failed";
    const last_error = { time: nowMs(this.#env), message };
    bound.progress = { ...bound.progress, failures, tries_at, last_error };
    this.#hasNews = true;
    this.#store(bound);
  }

  // Waking up and telling

  #schedule() {
    const now = this.#now();
    const dues = [...this.#bound.values()].filter(isReady).map(dueAt);
    // Whatever is under way may die with this process: then somebody has to look again.
    if (this.#sending > 0) dues.push(now + LEASE_MS);
    if (this.#hasNews && this.#owner) dues.push(this.#toldAt + TELLING_MS);
    const at = Math.min(...dues);
    // A free place is what those wait for that are due already: the end of a conversation begins them.
    const next = this.#sending >= MOST_CONVERSATIONS ? Math.max(at, now + LEASE_MS) : at;
    if (next >= this.#wakesAt || next === Number.POSITIVE_INFINITY) return;
    this.#wakesAt = next;
    this.#wakeUpIn(Math.max(next - now, 0));
  }

  /** The board hears at once when a target begins to work or to fail; else once a minute. */
  #tellSoon() {
    const statuses = [...this.#bound.values()].map(toStatus);
    const state = JSON.stringify([...this.#bound.values()].map(stateOf));
    const isDue = state !== this.#toldState || this.#now() >= this.#toldAt + TELLING_MS;
    if (!this.#owner || !this.#hasNews || !isDue || this.#isTelling) return;
    const { account_id, tracker_id } = this.#owner;
    this.#isTelling = true;
    this.#hasNews = false;
    this.#toldAt = this.#now();
    const told = boardOf(this.#env, account_id).put(tracker_id, statuses);
    const done = told.then(
      () => {
        this.#toldState = state;
      },
      () => {
        this.#hasNews = true;
      },
    );
    this.#ctx.waitUntil(
      done.finally(() => {
        this.#isTelling = false;
        this.#schedule();
      }),
    );
  }
}

function startAt(row: number): Progress {
  return { row, offset: 0, failures: 0, tries_at: 0, last_success: null, last_error: null };
}

function isSameReceiver(one: Target, other: Target) {
  const members = ["protocol_id", "address", "port", "login", "device_id"] as const;
  return members.every((member) => one[member] === other[member]);
}

function isReady({ waiting, isSending }: Bound) {
  return waiting > 0 && !isSending;
}

function dueAt({ progress, gathers_until }: Bound) {
  return Math.max(progress.tries_at, gathers_until);
}

function toStatus({ target: { retranslator_id }, progress, waiting }: Bound): RetranslationStatus {
  const { last_success, last_error } = progress;
  return { retranslator_id, last_success, last_error, backlog: waiting };
}

function stateOf({ target, progress }: Bound) {
  return [target.retranslator_id, progress.failures > 0, progress.last_success !== null, progress.last_error?.message];
}

/** Points are collected for so long before they are sent. */
const GATHER_MS = 500;
const EARLY_MS = 100;
/** A target with much to catch up with then lets another have its connection. */
const TURN_MS = 30_000;
/** Of six connections that a Worker may have; the others are the feed's own. */
const MOST_CONVERSATIONS = 4;
const LEASE_MS = MINUTE_MS;
const TELLING_MS = MINUTE_MS;
