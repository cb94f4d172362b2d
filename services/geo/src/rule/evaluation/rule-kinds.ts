import type { EventName } from "#shared/contract/event/event.ts";
import type { RuleType } from "../../table/rule/rule.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The events of a type of rule. `resetMs` is the minimum time between two events of a rule on a tracker. */
export type RuleKind = {
  primary: EventName;
  secondary?: EventName;
  resetMs: number;
  /** True: the device reports the events. Otherwise they follow from points. */
  isReported?: true;
};

export const RULE_KINDS: Record<RuleType, RuleKind> = {
  inoutzone: { primary: "inzone", secondary: "outzone", resetMs: 60 * SECOND },
  track_change: { primary: "track_end", secondary: "track_start", resetMs: 10 * SECOND },
  speedup: { primary: "speedup", resetMs: 15 * MINUTE },
  route: { primary: "outroute", resetMs: 10 * SECOND },
  excessive_driving: { primary: "excessive_driving_start", secondary: "excessive_driving_end", resetMs: 0 },
  excessive_parking: { primary: "excessive_parking", secondary: "excessive_parking_finished", resetMs: 10 * SECOND },
  task_status_change: { primary: "task_completed", resetMs: 0 },
  work_status_change: { primary: "work_status_change", resetMs: 0 },
  idling_soft: { primary: "idle_start", secondary: "idle_end", resetMs: 0 },
  fuel_level_leap: { primary: "fueling", secondary: "drain", resetMs: 15 * MINUTE },
  sensor_range: { primary: "sensor_outrange", secondary: "sensor_inrange", resetMs: 10 * SECOND },
  state_field_control: { primary: "state_field_control", resetMs: 5 * MINUTE },
  input_change: { primary: "input_change", secondary: "input_change", resetMs: 10 * SECOND },
  output_change: { primary: "output_change", secondary: "output_change", resetMs: 10 * SECOND },
  distance_control: { primary: "distance_breached", secondary: "distance_restored", resetMs: 10 * SECOND },
  driver_change: { primary: "driver_changed", resetMs: 10 * SECOND },
  offline: { primary: "offline", secondary: "online", resetMs: 10 * SECOND },
  over_speed_reported: reportedKind("over_speed_reported", MINUTE),
  idling: reportedKind("idle_start", 0, "idle_end"),
  auto_geofence: reportedKind("auto_geofence_out", MINUTE),
  driver_assistance: reportedKind("lane_departure", 0),
  autocontrol: reportedKind("alarmcontrol", 0),
  harsh_driving: reportedKind("harsh_driving", 10 * SECOND),
  crash_alarm: reportedKind("crash_alarm", MINUTE),
  g_sensor: reportedKind("g_sensor", 30 * SECOND),
  no_movement: reportedKind("no_movement", MINUTE),
  sos: reportedKind("sos", 30 * SECOND),
  parking: reportedKind("parking", 5 * MINUTE),
  backup_battery_low: reportedKind("backup_battery_low", MINUTE),
  lowpower: reportedKind("lowpower", 30 * MINUTE),
  call_button_pressed: reportedKind("call_button_pressed", MINUTE),
  alarmcontrol: reportedKind("alarmcontrol", 5 * MINUTE),
  check_engine_light: reportedKind("check_engine_light", 24 * HOUR),
  antenna_disconnect: reportedKind("antenna_disconnect", 5 * MINUTE),
  gps_damp: reportedKind("gps_damp", 5 * MINUTE),
  gsm_damp: reportedKind("gsm_damp", 5 * MINUTE),
  location_response: reportedKind("location_response", MINUTE),
  detach: reportedKind("detach", MINUTE),
  poweron: reportedKind("poweron", MINUTE),
  door_alarm: reportedKind("door_alarm", 0),
  hood_alarm: reportedKind("hood_alarm", 0),
  ignition: reportedKind("ignition", 0),
  cruise_control: reportedKind("cruise_control_on", 10 * MINUTE, "cruise_control_off"),
  driver_enter_absence: reportedKind("driver_absence", 10 * SECOND, "driver_enter"),
  driver_distraction: reportedKind("driver_distraction_started", 10 * SECOND, "driver_distraction_finished"),
  fatigue_driving: reportedKind("fatigue_driving", 5 * SECOND, "fatigue_driving_finished"),
  driver_identification: reportedKind("driver_identified", 5 * SECOND, "driver_not_identified"),
  proximity_violation: reportedKind("proximity_violation_start", 10 * SECOND, "proximity_violation_end"),
  battery_off: reportedKind("battery_off", 5 * MINUTE, "battery_on"),
  bracelet: reportedKind("bracelet_open", 3 * MINUTE, "bracelet_close"),
  case_intrusion: reportedKind("case_opened", MINUTE, "case_closed"),
  obd_plug_unplug: reportedKind("obd_plug_in", 5 * MINUTE, "obd_unplug"),
  external_device_connection: reportedKind("external_device_connected", 0, "external_device_disconnected"),
  gps_lost_recover: reportedKind("gps_lost", 10 * SECOND, "gps_recover"),
  light_sensor: reportedKind("light_sensor_bright", 0, "light_sensor_dark"),
  locking_unlocking: reportedKind("lock_opened", MINUTE, "lock_closed"),
  strap_bolt: reportedKind("strap_bolt_cut", 0, "strap_bolt_ins"),
  on_off: reportedKind("poweroff", 10 * SECOND, "poweron"),
  vibration: reportedKind("vibration_start", MINUTE, "vibration_end"),
};

/** Whether rules of the type require zones. */
export function needsZones(type: RuleType) {
  return type === "inoutzone" || type === "route";
}

/** Whether rules of the type may have zones: a device that sends nothing is nowhere. */
export function permitsZones(type: RuleType) {
  return type !== "offline";
}

/** Whether rules of the type require detection of trips and stops. */
export function needsTrips(type: RuleType) {
  return TRIP_TYPES.has(type);
}

const TRIP_TYPES = new Set<RuleType>(["track_change", "excessive_driving", "excessive_parking", "idling_soft"]);

function reportedKind(primary: EventName, resetMs: number, secondary?: EventName): RuleKind {
  return { primary, secondary, resetMs, isReported: true };
}
