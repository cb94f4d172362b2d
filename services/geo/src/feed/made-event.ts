import type { EventName, NewEvent } from "#shared/contract/event.ts";
import { EVENTS } from "#shared/contract/event.ts";
import { type Finding, isOn } from "../evaluation/watched-rule.ts";
import type { CopiedRule } from "../rule-book/rule-book.ts";

type Tracker = { account_id: number; tracker_id: number };

/** The event that a finding makes. */
export function eventOf(finding: Finding, rule: CopiedRule, tracker: Tracker, track_id: number): NewEvent {
  const { event, time, lat, lng, precision, zones, sensor_id, value, text } = finding;
  const words = text === "primary" ? rule.primary_text : rule.secondary_text;
  return {
    ...notice(rule, tracker, event, words, titlesOf(finding, rule)),
    time,
    track_id,
    location: { lat, lng, ...(precision !== null && { precision }) },
    extra: {
      emergency: rule.alerts.emergency,
      last_known_location: false,
      ...(zones.length > 0 && {
        zone_ids: zones.slice(0, MOST_ZONES).map(({ id }) => id),
        zone_labels: zones.slice(0, MOST_ZONES).map(({ label }) => label),
      }),
      ...(sensor_id !== undefined && { sensor_id, sensor_calculated_value: value }),
    },
  };
}

/** What an event of a rule has whatever it tells. An empty text keeps it from being notified. */
export function notice(
  { id: rule_id, alerts, private_to }: CopiedRule,
  tracker: Tracker,
  event: EventName,
  words: string,
  titles = "",
) {
  const isTold = words !== "";
  return {
    ...{ event_id: "", ...tracker, event, rule_id, message: (words || EVENTS[event]) + titles },
    ...(isTold && alerts.push_enabled ? {} : { is_silent: true }),
    ...(isTold && alerts.emails.length > 0 && { emails: alerts.emails }),
    ...(private_to !== null && { private_to }),
  };
}

/** By which a finding is told from every other of its rule. */
export function markOf({ event, text, time, lat, lng, zones, value }: Finding): string {
  return JSON.stringify([event, text, time, lat, lng, zones.map(({ id }) => id), value ?? null]);
}

function titlesOf({ zones, value }: Finding, rule: CopiedRule) {
  const labels =
    isOn(rule, "append_zone_title") && !isOn(rule, "zone_limit_inverted") ? zones.map(({ label }) => label) : [];
  const shown = [...labels.slice(0, MOST_ZONES), ...(isOn(rule, "display_value") && value ? [value] : [])];
  return shown.length > 0 ? ` (${shown.join(", ")})` : "";
}

/** An event names no more of the zones that are entered at once. */
const MOST_ZONES = 50;
