import { systemNow } from "#shared/time/clock.ts";
import { noteDone, noteWaiting } from "./waiting-feeds.ts";

/** What the alarm is for; under these names the times are stored. */
const DUES = ["flush_at", "audit_at", "retranslate_at", "rules_at", "visits_at", "events_at", "silence_at"] as const;
export type Due = (typeof DUES)[number];

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
    for (const what of DUES) if (this.#kv.get(what) !== undefined) this.#noteWaiting(what);
  }

  wakeUpIn(ms: number, what: Due) {
    this.#kv.put(what, this.#now() + ms);
    this.#noteWaiting(what);
    this.set();
  }

  isPlanned(what: Due): boolean {
    return this.#kv.get(what) !== undefined;
  }

  cancel(what: Due) {
    this.#kv.delete(what);
    noteDone(this.#feed, what);
  }

  /** Nothing is to be done any more. */
  forget() {
    for (const what of DUES) noteDone(this.#feed, what);
  }

  /** What an alarm set by an earlier version was for is not noted: it flushes. */
  isDue(what: Due) {
    const time = this.#kv.get<number>(what) ?? (what === "flush_at" ? 0 : Number.POSITIVE_INFINITY);
    // An alarm may be a moment early.
    return time <= this.#now() + EARLY_MS;
  }

  set() {
    const times = DUES.flatMap((what) => this.#kv.get<number>(what) ?? []);
    if (times.length > 0) this.#ctx.waitUntil(this.#ctx.storage.setAlarm(Math.min(...times)));
  }

  #noteWaiting(what: Due) {
    noteWaiting(this.#feed, what, this.#now());
  }
}

const EARLY_MS = 100;
