import { systemNow } from "#shared/time/clock.ts";
import { noteDone, noteWaiting } from "./waiting-feeds.ts";

/** What the alarm is for; under these names the times are stored. */
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

/** An object has one alarm: it is set for what is due first. It goes by the runtime's clock, whatever ours says. */
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

  /** Nothing is to be done any more. */
  clear() {
    for (const what of PURPOSES) noteDone(this.#feed, what);
  }

  /** What an alarm set by an earlier version was for is not noted: it flushes. */
  isDue(what: AlarmPurpose) {
    const time = this.#kv.get<number>(what) ?? (what === "flush_at" ? 0 : Number.POSITIVE_INFINITY);
    // An alarm may be a moment early.
    return time <= this.#now() + TOLERANCE_MS;
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
