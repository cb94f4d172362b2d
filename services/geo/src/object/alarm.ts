import { systemNow } from "#shared/time/clock.ts";
import { noteDone, noteWaiting } from "./waiting-feeds.ts";

/** Purposes of the alarm, which are also the keys of their times in the storage. */
const PURPOSES = [
  "flush_at",
  "audit_at",
  "retranslate_at",
  "rules_at",
  "visits_at",
  "events_at",
  "silence_at",
] as const;
export type AlarmPurpose = (typeof PURPOSES)[number];

/**
 * The one alarm of a Durable Object, set to the earliest of several purposes. It uses the runtime's clock, also where
 * tests move the service's.
 */
export class Alarm {
  #ctx: DurableObjectState;
  #kv: SyncKvStorage;
  #feed: string;
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, now: () => number = systemNow) {
    this.#now = now;
    this.#ctx = ctx;
    this.#kv = ctx.storage.kv;
    this.#feed = ctx.id.toString();
    for (const what of PURPOSES) if (this.#kv.get(what) !== undefined) this.#noteWaiting(what);
  }

  schedule(ms: number, what: AlarmPurpose) {
    this.#kv.put(what, this.#now() + ms);
    this.#noteWaiting(what);
    this.set();
  }

  isScheduled(what: AlarmPurpose): boolean {
    return this.#kv.get(what) !== undefined;
  }

  cancel(what: AlarmPurpose) {
    this.#kv.delete(what);
    noteDone(this.#feed, what);
  }

  /** Removes the object's purposes from the backlog of this isolate. */
  clear() {
    for (const what of PURPOSES) noteDone(this.#feed, what);
  }

  isDue(what: AlarmPurpose) {
    const time = this.#kv.get<number>(what);
    // Alarms may fire slightly early.
    return time !== undefined && time <= this.#now() + TOLERANCE_MS;
  }

  set() {
    const times = PURPOSES.flatMap((what) => this.#kv.get<number>(what) ?? []);
    if (times.length > 0) this.#ctx.waitUntil(this.#ctx.storage.setAlarm(Math.min(...times)));
  }

  #noteWaiting(what: AlarmPurpose) {
    noteWaiting(this.#feed, what, this.#now());
  }
}

const TOLERANCE_MS = 100;
