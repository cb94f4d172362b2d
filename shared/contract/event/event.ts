import * as z from "zod";
import { dateTime } from "../../operation/fields.ts";

/** Every kind of history event, with the text that people read in lists. */
export const EVENTS = {
  inzone: "Entered a zone",
  outzone: "Left a zone",
  auto_geofence_in: "Entered the automatic zone",
  auto_geofence_out: "Left the automatic zone",
  inroute: "Came back to the route",
  outroute: "Left the route",
  distance_breached: "Too far from the other object",
  distance_restored: "Near the other object again",
  proximity_violation_start: "Too close to the other object",
  proximity_violation_end: "No longer too close to the other object",
  track_start: "Began to move",
  track_end: "Stopped moving",
  speedup: "Speeding",
  over_speed_reported: "Speeding reported by the device",
  idle_start: "Began to idle",
  idle_end: "Stopped idling",
  excessive_driving_start: "Driving for too long",
  excessive_driving_end: "Rests after driving for too long",
  excessive_parking: "Parked for too long",
  excessive_parking_finished: "Drives after parking for too long",
  parking: "Parked",
  no_movement: "Does not move",
  harsh_driving: "Harsh driving",
  crash_alarm: "Crash",
  g_sensor: "Shock",
  vibration_start: "Vibration began",
  vibration_end: "Vibration ended",
  cruise_control_on: "Cruise control on",
  cruise_control_off: "Cruise control off",
  driver_changed: "Driver changed",
  driver_identified: "Driver identified",
  driver_not_identified: "Driver not identified",
  driver_enter: "Driver present",
  driver_absence: "Driver absent",
  driver_distraction_started: "Driver distracted",
  driver_distraction_finished: "Driver attentive again",
  fatigue_driving: "Driver tired",
  fatigue_driving_finished: "Driver no longer tired",
  lane_departure: "Lane departure",
  forward_collision_warning: "Forward collision warning",
  headway_warning: "Headway warning",
  peds_collision_warning: "Pedestrian collision warning",
  peds_in_danger_zone: "Pedestrian in the danger zone",
  tsr_warning: "Traffic sign warning",
  tacho: "Tachograph event",
  online: "Online",
  offline: "Offline",
  gps_lost: "Satellite signal lost",
  gps_recover: "Satellite signal recovered",
  gps_damp: "Satellite signal jammed",
  gsm_damp: "Mobile signal jammed",
  antenna_disconnect: "Antenna disconnected",
  poweron: "Switched on",
  poweroff: "Switched off",
  lowpower: "Low battery",
  battery_off: "External power lost",
  battery_on: "External power restored",
  backup_battery_low: "Backup battery low",
  external_device_connected: "External device connected",
  external_device_disconnected: "External device disconnected",
  obd_plug_in: "Plugged in",
  obd_unplug: "Unplugged",
  sos: "Emergency button pressed",
  call_button_pressed: "Call button pressed",
  alarmcontrol: "Car alarm",
  security_control: "Security alarm",
  door_alarm: "Door alarm",
  hood_alarm: "Hood alarm",
  ignition: "Ignition",
  case_opened: "Case opened",
  case_closed: "Case closed",
  detach: "Detached",
  lock_opened: "Lock opened",
  lock_closed: "Lock closed",
  strap_bolt_cut: "Strap or bolt cut",
  strap_bolt_ins: "Strap or bolt inserted",
  bracelet_open: "Bracelet opened",
  bracelet_close: "Bracelet closed",
  light_sensor_bright: "Light",
  light_sensor_dark: "Darkness",
  input_change: "Input changed",
  output_change: "Output changed",
  sensor_inrange: "Sensor back in range",
  sensor_outrange: "Sensor out of range",
  state_field_control: "State changed to the watched value",
  fueling: "Refuelled",
  drain: "Fuel drained",
  check_engine_light: "Check engine light",
  odometer_set: "Odometer set",
  work_status_change: "Work status changed",
  checkin_creation: "Check-in",
  tracker_rename: "Tracker renamed",
  location_response: "Location reported",
  force_location_request: "Location requested",
  info: "Information",
  corrected: "Corrected",
  task_arrived: "Arrived at a task",
  task_in_progress: "Task in progress",
  task_completed: "Task completed",
  task_delayed: "Task completed late",
  task_failed: "Task failed",
  task_form_submitted: "Form of a task submitted",
  checkpoint_arrived: "Arrived at a checkpoint",
  checkpoint_in_progress: "Checkpoint in progress",
  checkpoint_completed: "Checkpoint completed",
  checkpoint_delayed: "Checkpoint completed late",
  checkpoint_failed: "Checkpoint failed",
  route_completed: "Route completed",
  route_faulty: "Route completed out of order",
  route_failed: "Route failed",
  service_task_soon: "Service task is due soon",
  service_task_expired: "Service task is overdue",
} as const;
export type EventName = keyof typeof EVENTS;
// Object.keys loses the literal type of EVENTS.
export const EVENT_NAMES = Object.keys(EVENTS) as [EventName, ...EventName[]];

export const EventExtra = z.object({
  task_id: z.int().optional(),
  parent_task_id: z.int().optional(),
  counter_id: z.int().optional(),
  service_task_id: z.int().optional(),
  checkin_id: z.int().optional(),
  place_ids: z.array(z.int()).optional(),
  places_total_count: z.int().optional(),
  /** True when the position may be stale. */
  last_known_location: z.boolean().optional(),
  tracker_label: z.string().optional(),
  emergency: z.boolean().optional(),
  zone_ids: z.array(z.int()).optional(),
  zone_labels: z.array(z.string()).optional(),
  proximity_object_id: z.int().optional(),
  employee_id: z.int().optional(),
  sensor_id: z.int().optional(),
  sensor_name: z.string().optional(),
  sensor_calculated_value: z.string().optional(),
  /** The whole message when `message` was cut. */
  full_message: z.string().optional(),
  /** Meters. */
  precision: z.int().optional(),
  /** Late points showed that the event was wrong; an event `corrected` says so. */
  corrected: z.boolean().optional(),
  /** The id of the event that an event `corrected` corrects. */
  corrected_id: z.int().optional(),
});
export type EventExtra = z.output<typeof EventExtra>;

/** An event in an answer of the API. */
export const HistoryEntry = z.object({
  id: z.int(),
  type: z.literal("tracker"),
  is_read: z.boolean(),
  /** At most 256 characters. */
  message: z.string(),
  time: dateTime(),
  event: z.enum(EVENT_NAMES),
  tracker_id: z.int(),
  rule_id: z.int().optional(),
  /** 0 when the event belongs to no track. */
  track_id: z.int(),
  location: z.object({ lat: z.number(), lng: z.number(), precision: z.int().optional() }).nullable(),
  address: z.string(),
  extra: EventExtra,
});
export type HistoryEntry = z.output<typeof HistoryEntry>;

/** An event that fleet has just stored, for the gateway to notify users. */
export type StoredEvent = {
  event_id: string;
  account_id: number;
  /** UTC milliseconds. */
  stored: number;
  entry: HistoryEntry;
  /** The only sub-user that sees the event; null: every user that sees the tracker. */
  private_to: number | null;
};

/** An event of the history for the feed of the account's events. */
export type HistoryReport = StoredEvent & {
  /** True: users are notified of the event, too. */
  is_notified: boolean;
};

/** A new event for fleet to store. */
export type NewEvent = {
  /** Unique over all producers, so that an event that is delivered twice is stored once. */
  event_id: string;
  account_id: number;
  tracker_id: number;
  event: EventName;
  /** UTC milliseconds. */
  time: number;
  message: string;
  rule_id?: number;
  track_id?: number;
  location?: { lat: number; lng: number; precision?: number } | null;
  address?: string;
  /** Details of the event; fleet adds the tracker's label and the employee. */
  extra?: Omit<EventExtra, "tracker_label" | "full_message">;
  /** True: the event is stored without notifications. */
  is_silent?: boolean;
  /** The only sub-user that sees the event. */
  private_to?: number;
  /** Addresses that get a mail about the event. */
  emails?: string[];
  /** The `event_id` of a wrong event, which is marked as corrected. */
  corrects?: string;
};
