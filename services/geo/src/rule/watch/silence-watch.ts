import { MINUTE_MS } from "#shared/time/duration.ts";
import type { CopiedRule } from "../../object/account-rules.ts";
import type { Alarm } from "../../object/alarm.ts";
import { isScheduled } from "../evaluation/schedule.ts";
import { eventBase } from "./history-event.ts";
import type { RuleEvents } from "./rule-events.ts";

type Tracker = { account_id: number; tracker_id: number };
type SilentDevice = { heardAt: number; firedRules: number[] };

/** Evaluates rules of type `offline`, which depend on when the device was last heard, not on points. */
export class SilenceWatch {
  #kv: SyncKvStorage;
  #alarm: Alarm;
  #device: SilentDevice | undefined;

  constructor(kv: SyncKvStorage, alarm: Alarm) {
    this.#kv = kv;
    this.#alarm = alarm;
    this.#device = kv.get<SilentDevice>("silence");
  }

  /** Notes that the device sent something; rules that reported it offline report it online. */
  noteHeard(rules: CopiedRule[], tracker: Tracker, now: number, events: RuleEvents) {
    const watching = rules.filter(({ type }) => type === "offline");
    if (watching.length === 0) {
      if (this.#device) this.#store(undefined);
      return;
    }
    const fired = this.#device?.firedRules ?? [];
    for (const rule of watching) if (fired.includes(rule.id)) addEvent(events, rule, tracker, "online", now);
    const before = this.#device;
    // Stored at most once a minute: the alarm uses the value in memory.
    if (!before || fired.length > 0 || now - before.heardAt >= MINUTE_MS) this.#store({ heardAt: now, firedRules: [] });
    else before.heardAt = now;
    if (!before || fired.length > 0) this.#scheduleAlarm(watching, now);
  }

  /** For the alarm: fires rules whose delay has passed. `last` is when the state last heard of the device. */
  check(rules: CopiedRule[], tracker: Tracker, now: number, last: number | null, events: RuleEvents) {
    const watching = rules.filter(({ type }) => type === "offline");
    if (!this.#device || watching.length === 0) {
      this.#alarm.cancel("silence_at");
      return;
    }
    const device = { ...this.#device, heardAt: Math.max(this.#device.heardAt, last ?? 0) };
    const due = watching.filter(
      (rule) => !device.firedRules.includes(rule.id) && now >= device.heardAt + offlineDelayMs(rule),
    );
    for (const rule of due) addEvent(events, rule, tracker, "offline", device.heardAt + offlineDelayMs(rule));
    this.#store({ ...device, firedRules: [...device.firedRules, ...due.map(({ id }) => id)] });
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

  #store(device: SilentDevice | undefined) {
    this.#device = device;
    if (device) this.#kv.put("silence", device);
    else this.#kv.delete("silence");
  }
}

function addEvent(events: RuleEvents, rule: CopiedRule, tracker: Tracker, event: "offline" | "online", time: number) {
  if (!isScheduled(rule.schedule, time, rule.time_zone)) return;
  const text = event === "offline" ? rule.primary_text : rule.secondary_text;
  const extra = { emergency: rule.alerts.emergency, last_known_location: true };
  events.add(rule.id, { ...eventBase(rule, tracker, event, text), time, location: null, extra });
}

/** How long a device is silent until the rule fires: `param` minutes after it counts as offline. */
function offlineDelayMs({ param }: CopiedRule) {
  return OFFLINE_AFTER_MS + param * MINUTE_MS;
}

/** The limit of `connection_status` too. */
const OFFLINE_AFTER_MS = 10 * MINUTE_MS;
