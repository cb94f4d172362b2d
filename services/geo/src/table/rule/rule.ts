import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";

export const RULE_TYPES = [
  ...["inoutzone", "track_change", "speedup", "over_speed_reported", "route", "excessive_driving"],
  ...["excessive_parking", "task_status_change", "work_status_change", "idling_soft", "idling", "fuel_level_leap"],
  ...["sensor_range", "state_field_control", "input_change", "output_change", "distance_control", "driver_change"],
  ...["offline", "auto_geofence", "driver_assistance", "autocontrol", "harsh_driving", "crash_alarm", "g_sensor"],
  ...["no_movement", "sos", "parking", "backup_battery_low", "lowpower", "call_button_pressed", "alarmcontrol"],
  ...["check_engine_light", "antenna_disconnect", "gps_damp", "gsm_damp", "location_response", "detach", "poweron"],
  ...["door_alarm", "hood_alarm", "ignition", "cruise_control", "driver_enter_absence", "driver_distraction"],
  ...["fatigue_driving", "driver_identification", "proximity_violation", "battery_off", "bracelet"],
  ...["case_intrusion", "obd_plug_unplug", "external_device_connection", "gps_lost_recover", "light_sensor"],
  ...["locking_unlocking", "strap_bolt", "on_off", "vibration"],
] as const;
export type RuleType = (typeof RULE_TYPES)[number];

export const rule = sqliteTable(
  "rule",
  {
    // Events keep ids: a deleted rule's is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    /** The user who created the rule; a sub-user sees it even while it has no tracker. */
    author_id: integer().notNull(),
    /** The only sub-user that sees the rule; null: everyone who sees one of its trackers. */
    private_to: integer(),
    type: text({ enum: RULE_TYPES }).notNull(),
    name: text().notNull(),
    description: text().notNull(),
    primary_text: text().notNull(),
    secondary_text: text().notNull(),
    param: integer().notNull(),
    alerts: text({ mode: "json" }).$type<Alerts>().notNull(),
    suspended: integer({ mode: "boolean" }).notNull(),
    auto_created: integer({ mode: "boolean" }).notNull(),
    schedule: text({ mode: "json" }).$type<Interval[]>().notNull(),
    /** The id that the next new interval of the schedule gets. */
    next_interval: integer().notNull(),
    extended_params: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [index("rule_account").on(table.account_id)],
);
export type RuleRow = typeof rule.$inferSelect;

export type Alerts = {
  push_enabled: boolean;
  emails: string[];
  sms_phones: string[];
  phones: string[];
  emergency: boolean;
};

/** A time span in which a rule applies, in the account's time zone. */
export type Interval = { interval_id: number } & (
  | { type: "weekly"; from: WeekTime; to: WeekTime }
  | { type: "fixed"; from: string; to: string }
);
/** 1 is Monday. */
export type WeekTime = { weekday: number; time: string };
