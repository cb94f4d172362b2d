import type { EventName, NewEvent } from "#shared/contract/event/event.ts";
import { EVENTS } from "#shared/contract/event/event.ts";
import type { CopiedRule } from "../../object/account-rules.ts";
import { isOn, type RuleEvent, type ZoneName } from "../../object/watched-rule.ts";

type Tracker = { account_id: number; tracker_id: number };

/** Converts a rule event to an event of the history. */
export function toHistoryEvent(ruleEvent: RuleEvent, rule: CopiedRule, tracker: Tracker, track_id: number): NewEvent {
  const { event, time, lat, lng, precision, zones, sensor_id, value, text } = ruleEvent;
  const eventText = text === "primary" ? rule.primary_text : rule.secondary_text;
  return {
    ...eventBase({ ...rule, alerts: channelsOf(rule, event) }, tracker, event, eventText, { zones, value }),
    time,
    track_id,
    location: { lat, lng, ...(precision !== null && { precision }) },
    extra: {
      emergency: rule.alerts.emergency,
      last_known_location: false,
      ...zoneNamesOf(zones),
      ...(sensor_id !== undefined && { sensor_id, sensor_calculated_value: value }),
      ...(sensor_id !== undefined && rule.gauge && { sensor_name: rule.gauge.sensor.name }),
    },
  };
}

type EventDetails = { zones: ZoneName[]; value?: string | undefined };

/** The members that all events of a rule have. An event with an empty text is not notified. */
export function eventBase(
  rule: CopiedRule,
  tracker: Tracker,
  event: EventName,
  text: string,
  details: EventDetails = { zones: [] },
) {
  const { id: rule_id, alerts, private_to } = rule;
  const hasText = text !== "";
  return {
    ...{ event_id: "", ...tracker, event, rule_id, message: (text || EVENTS[event]) + suffixOf(details, rule) },
    ...(hasText && alerts.push_enabled ? {} : { is_silent: true }),
    ...(hasText && alerts.emails.length > 0 && { emails: alerts.emails }),
    ...(private_to !== null && { private_to }),
  };
}

/** The zones that an event names; nothing without zones. */
export function zoneNamesOf(zones: ZoneName[]) {
  const namedZones = zones.slice(0, MAX_NAMED_ZONES);
  return namedZones.length > 0
    ? { zone_ids: namedZones.map(({ id }) => id), zone_labels: namedZones.map(({ label }) => label) }
    : {};
}

/** The channels of an event. Each alarm of an `autocontrol` rule chooses among the rule's channels. */
function channelsOf({ type, extended, alerts }: CopiedRule, event: EventName): CopiedRule["alerts"] {
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

/** Identifies an event among all events of its rule. */
export function fingerprintOf({ event, text, time, lat, lng, zones, value }: RuleEvent): string {
  return JSON.stringify([event, text, time, lat, lng, zones.map(({ id }) => id), value ?? null]);
}

/** The zone titles and the value that the rule appends to its text. */
function suffixOf({ zones, value }: EventDetails, rule: CopiedRule) {
  const labels =
    isOn(rule, "append_zone_title") && !isOn(rule, "zone_limit_inverted") ? zones.map(({ label }) => label) : [];
  const titles = [...labels.slice(0, MAX_NAMED_ZONES), ...(isOn(rule, "display_value") && value ? [value] : [])];
  return titles.length > 0 ? ` (${titles.join(", ")})` : "";
}

/** Limit for zones that were entered at once. */
const MAX_NAMED_ZONES = 50;
