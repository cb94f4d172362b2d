import { MINUTE_MS } from "#shared/time/duration.ts";
import type { CopiedRule } from "../../object/account-rules.ts";
import type { Alarm } from "../../object/alarm.ts";
import { isWithin } from "../evaluation/schedule.ts";
import { notice } from "./event-of-finding.ts";
import type { RuleEvents } from "./rule-events.ts";

type Tracker = { account_id: number; tracker_id: number };
type SilentDevice = { heard: number; told: number[] };

/** Rules of type `offline`: they go by when a device was heard of, not by its points. */
export class Silence {
  #kv: SyncKvStorage;
  #alarm: Alarm;
  #known: SilentDevice | undefined;

  constructor(kv: SyncKvStorage, alarm: Alarm) {
    this.#kv = kv;
    this.#alarm = alarm;
    this.#known = kv.get<SilentDevice>("silence");
  }

  /** The device has said something: those that told that it is offline tell that it is back. */
  heard(rules: CopiedRule[], tracker: Tracker, now: number, events: RuleEvents) {
    const watching = rules.filter(({ type }) => type === "offline");
    if (watching.length === 0) {
      if (this.#known) this.#keep(undefined);
      return;
    }
    const told = this.#known?.told ?? [];
    for (const rule of watching) if (told.includes(rule.id)) add(events, rule, tracker, "online", now);
    const before = this.#known;
    // Written once a minute at the most: the alarm looks at what is in memory.
    if (!before || told.length > 0 || now - before.heard >= MINUTE_MS) this.#keep({ heard: now, told: [] });
    else before.heard = now;
    if (!before || told.length > 0) this.#wakeUp(watching, now);
  }

  /** For the alarm: which rules have waited for long enough. `last`: when the device was heard of, as the state has it. */
  check(rules: CopiedRule[], tracker: Tracker, now: number, last: number | null, events: RuleEvents) {
    const watching = rules.filter(({ type }) => type === "offline");
    if (!this.#known || watching.length === 0) {
      this.#alarm.cancel("silence_at");
      return;
    }
    const known = { ...this.#known, heard: Math.max(this.#known.heard, last ?? 0) };
    const due = watching.filter((rule) => !known.told.includes(rule.id) && now >= known.heard + silenceOf(rule));
    for (const rule of due) add(events, rule, tracker, "offline", known.heard + silenceOf(rule));
    this.#keep({ ...known, told: [...known.told, ...due.map(({ id }) => id)] });
    this.#wakeUp(
      watching.filter(({ id }) => !this.#known?.told.includes(id)),
      now,
    );
  }

  #wakeUp(waiting: CopiedRule[], now: number) {
    const heard = this.#known?.heard ?? now;
    if (waiting.length === 0) this.#alarm.cancel("silence_at");
    else this.#alarm.schedule(Math.max(0, heard + Math.min(...waiting.map(silenceOf)) - now) + 1000, "silence_at");
  }

  #keep(known: SilentDevice | undefined) {
    this.#known = known;
    if (known) this.#kv.put("silence", known);
    else this.#kv.delete("silence");
  }
}

function add(events: RuleEvents, rule: CopiedRule, tracker: Tracker, event: "offline" | "online", time: number) {
  if (!isWithin(rule.schedule, time, rule.time_zone)) return;
  const words = event === "offline" ? rule.primary_text : rule.secondary_text;
  const extra = { emergency: rule.alerts.emergency, last_known_location: true };
  events.add(rule.id, { ...notice(rule, tracker, event, words), time, location: null, extra });
}

/** So long a device is silent until it is told: as many minutes after it counts as offline. */
function silenceOf({ param }: CopiedRule) {
  return OFFLINE_MS + param * MINUTE_MS;
}

/** As `connection_status` has it. */
const OFFLINE_MS = 10 * MINUTE_MS;
