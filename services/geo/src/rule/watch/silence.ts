import { MINUTE_MS } from "#shared/time/duration.ts";
import type { CopiedRule } from "../../object/account-rules.ts";
import type { Alarm } from "../../object/alarm.ts";
import { isScheduled } from "../evaluation/schedule.ts";
import { eventBase } from "./event-of-finding.ts";
import type { RuleEvents } from "./rule-events.ts";

type Tracker = { account_id: number; tracker_id: number };
type SilentDevice = { heardAt: number; firedRules: number[] };

/** Rules of type `offline`: they go by when a device was heard of, not by its points. */
export class SilenceWatch {
  #kv: SyncKvStorage;
  #alarm: Alarm;
  #device: SilentDevice | undefined;

  constructor(kv: SyncKvStorage, alarm: Alarm) {
    this.#kv = kv;
    this.#alarm = alarm;
    this.#device = kv.get<SilentDevice>("silence");
  }

  /** The device has said something: those that told that it is offline tell that it is back. */
  noteHeard(rules: CopiedRule[], tracker: Tracker, now: number, events: RuleEvents) {
    const watching = rules.filter(({ type }) => type === "offline");
    if (watching.length === 0) {
      if (this.#device) this.#store(undefined);
      return;
    }
    const told = this.#device?.firedRules ?? [];
    for (const rule of watching) if (told.includes(rule.id)) addEvent(events, rule, tracker, "online", now);
    const before = this.#device;
    // Written once a minute at the most: the alarm looks at what is in memory.
    if (!before || told.length > 0 || now - before.heardAt >= MINUTE_MS) this.#store({ heardAt: now, firedRules: [] });
    else before.heardAt = now;
    if (!before || told.length > 0) this.#scheduleAlarm(watching, now);
  }

  /** For the alarm: which rules have waited for long enough. `last`: when the device was heard of, as the state has it. */
  check(rules: CopiedRule[], tracker: Tracker, now: number, last: number | null, events: RuleEvents) {
    const watching = rules.filter(({ type }) => type === "offline");
    if (!this.#device || watching.length === 0) {
      this.#alarm.cancel("silence_at");
      return;
    }
    const known = { ...this.#device, heard: Math.max(this.#device.heardAt, last ?? 0) };
    const due = watching.filter((rule) => !known.firedRules.includes(rule.id) && now >= known.heard + offlineDelayMs(rule));
    for (const rule of due) addEvent(events, rule, tracker, "offline", known.heard + offlineDelayMs(rule));
    this.#store({ ...known, firedRules: [...known.firedRules, ...due.map(({ id }) => id)] });
    this.#scheduleAlarm(
      watching.filter(({ id }) => !this.#device?.firedRules.includes(id)),
      now,
    );
  }

  #scheduleAlarm(waiting: CopiedRule[], now: number) {
    const heard = this.#device?.heardAt ?? now;
    if (waiting.length === 0) this.#alarm.cancel("silence_at");
    else this.#alarm.schedule(Math.max(0, heard + Math.min(...waiting.map(offlineDelayMs)) - now) + 1000, "silence_at");
  }

  #store(known: SilentDevice | undefined) {
    this.#device = known;
    if (known) this.#kv.put("silence", known);
    else this.#kv.delete("silence");
  }
}

function addEvent(events: RuleEvents, rule: CopiedRule, tracker: Tracker, event: "offline" | "online", time: number) {
  if (!isScheduled(rule.schedule, time, rule.time_zone)) return;
  const words = event === "offline" ? rule.primary_text : rule.secondary_text;
  const extra = { emergency: rule.alerts.emergency, last_known_location: true };
  events.add(rule.id, { ...eventBase(rule, tracker, event, words), time, location: null, extra });
}

/** So long a device is silent until it is told: as many minutes after it counts as offline. */
function offlineDelayMs({ param }: CopiedRule) {
  return OFFLINE_AFTER_MS + param * MINUTE_MS;
}

/** As `connection_status` has it. */
const OFFLINE_AFTER_MS = 10 * MINUTE_MS;
