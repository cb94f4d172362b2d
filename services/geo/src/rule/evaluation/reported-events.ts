import type { EventName } from "#shared/contract/event/event.ts";
import { EVENT_NAMES } from "#shared/contract/event/event.ts";
import type { Attributes } from "../../object/watched-rule.ts";

/** Events that a device reports with a point: the attributes `event` and `alarm` name them, separated by commas. */
export function reportedEvents(attributes: Attributes | null): EventName[] {
  if (!attributes || (attributes.event === undefined && attributes.alarm === undefined)) return [];
  const names = [attributes.event, attributes.alarm].flatMap((value) =>
    typeof value === "string" ? value.split(",") : [],
  );
  return [...new Set(names.flatMap((name) => toEventNames(name.trim())))];
}

function toEventNames(name: string): EventName[] {
  const known = ALIASES[name] ?? (NAMES.has(name) ? name : undefined);
  // The cast is safe: the name was looked up above.
  return known ? [known as EventName] : [];
}

const NAMES = new Set<string>(EVENT_NAMES);
/** Names that Traccar and similar servers use for our events. */
const ALIASES: Record<string, EventName> = {
  overspeed: "over_speed_reported",
  lowBattery: "backup_battery_low",
  lowPower: "lowpower",
  powerCut: "battery_off",
  powerRestored: "battery_on",
  powerOn: "poweron",
  powerOff: "poweroff",
  door: "door_alarm",
  bonnet: "hood_alarm",
  tampering: "case_opened",
  removing: "detach",
  accident: "crash_alarm",
  hardAcceleration: "harsh_driving",
  hardBraking: "harsh_driving",
  hardCornering: "harsh_driving",
  jamming: "gsm_damp",
  gpsAntennaCut: "antenna_disconnect",
  fatigueDriving: "fatigue_driving",
  laneChange: "lane_departure",
  geofenceExit: "auto_geofence_out",
  idle: "idle_start",
  vibration: "vibration_start",
  lock: "lock_closed",
  unlock: "lock_opened",
};
