import type { EventName, NewEvent } from "#shared/contract/event.ts";
import { EVENTS } from "#shared/contract/event.ts";
import type { CopiedRule } from "../../object/account-rules.ts";
import { isOn, type RuleEvent, type ZoneName } from "../../object/watched-rule.ts";

type Tracker = { account_id: number; tracker_id: number };

/** The event that a finding makes. */
export function eventOf(finding: RuleEvent, rule: CopiedRule, tracker: Tracker, track_id: number): NewEvent {
  const { event, time, lat, lng, precision, zones, sensor_id, value, text } = finding;
  const words = text === "primary" ? rule.primary_text : rule.secondary_text;
  return {
    ...notice({ ...rule, alerts: alertsOf(rule, event) }, tracker, event, words, { zones, value }),
    time,
    track_id,
    location: { lat, lng, ...(precision !== null && { precision }) },
    extra: {
      emergency: rule.alerts.emergency,
      last_known_location: false,
      ...namesOf(zones),
      ...(sensor_id !== undefined && { sensor_id, sensor_calculated_value: value }),
      ...(sensor_id !== undefined && rule.gauge && { sensor_name: rule.gauge.sensor.name }),
    },
  };
}

type Seen = { zones: ZoneName[]; value?: string | undefined };

/** What an event of a rule has whatever it tells. An empty text keeps it from being notified. */
export function notice(
  rule: CopiedRule,
  tracker: Tracker,
  event: EventName,
  words: string,
  seen: Seen = { zones: [] },
) {
  const { id: rule_id, alerts, private_to } = rule;
  const isTold = words !== "";
  return {
    ...{ event_id: "", ...tracker, event, rule_id, message: (words || EVENTS[event]) + titlesOf(seen, rule) },
    ...(isTold && alerts.push_enabled ? {} : { is_silent: true }),
    ...(isTold && alerts.emails.length > 0 && { emails: alerts.emails }),
    ...(private_to !== null && { private_to }),
  };
}

/** What an event says of zones, if it has to do with any. */
export function namesOf(zones: ZoneName[]) {
  const named = zones.slice(0, MOST_ZONES);
  return named.length > 0 ? { zone_ids: named.map(({ id }) => id), zone_labels: named.map(({ label }) => label) } : {};
}

/** Of a group of alarms, each has channels of its own among those of the rule. */
function alertsOf({ type, extended, alerts }: CopiedRule, event: EventName): CopiedRule["alerts"] {
  if (type !== "autocontrol") return alerts;
  const control = extended[event];
  const isOn = (name: string) =>
    typeof control === "object" && control !== null && Object.entries(control).some(([key, on]) => key === name && on);
  return {
    ...alerts,
    push_enabled: alerts.push_enabled && isOn("push"),
    emails: isOn("email") ? alerts.emails : [],
  };
}

/** By which a finding is told from every other of its rule. */
export function markOf({ event, text, time, lat, lng, zones, value }: RuleEvent): string {
  return JSON.stringify([event, text, time, lat, lng, zones.map(({ id }) => id), value ?? null]);
}

function titlesOf({ zones, value }: Seen, rule: CopiedRule) {
  const labels =
    isOn(rule, "append_zone_title") && !isOn(rule, "zone_limit_inverted") ? zones.map(({ label }) => label) : [];
  const shown = [...labels.slice(0, MOST_ZONES), ...(isOn(rule, "display_value") && value ? [value] : [])];
  return shown.length > 0 ? ` (${shown.join(", ")})` : "";
}

/** An event names no more of the zones that are entered at once. */
const MOST_ZONES = 50;
