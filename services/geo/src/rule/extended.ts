import { z } from "zod";
import type { RuleType } from "../table/rule/rule.ts";

const flag = (value = false) => z.boolean().default(value);
const id = z.int().min(1);
const minutes = (min: number, max: number) => z.int().min(min).max(max);

const MARKS = {
  emergency: flag(),
  /** Of a sub-user's rule: the rule and its notifications are the sub-user's alone. */
  private_rule: flag(),
};
const TITLED = { ...MARKS, append_zone_title: z.boolean().nullable().default(null) };
/** Of types that zones only limit; true: the rule acts outside them. */
const LIMITED = { ...TITLED, zone_limit_inverted: flag() };

/** What keeps scattered fixes at a border from counting; null: by the distance that the vehicle made. */
const SETTLING = {
  confirm_points: z.int().min(1).max(100).nullable().default(null),
  min_dwell_seconds: z.int().min(0).max(86_400).nullable().default(null),
  exit_margin_meters: z.int().min(0).max(10_000).nullable().default(null),
  max_precision_meters: z.int().min(1).max(100_000).nullable().default(null),
};

const Range = {
  sensor_id: id,
  min: z.number().nullable().default(null),
  max: z.number().nullable().default(null),
  threshold: z.number().min(0).default(0.03),
};
const Watched = {
  trigger_value: z.union([z.string().max(255), z.number(), z.boolean()]),
  state_field: z.string().min(1).max(64).nullable().default(null),
  virtual_sensor_id: id.nullable().default(null),
};
const MOST_OF_TRACKERS = 1000;

const Alarm = z.object({ enabled: flag(), sms: flag(), call: flag(), email: flag(), push: flag() });

/** The alarms that a rule of type `autocontrol` takes together. */
export const CONTROLS = [
  ...["alarmcontrol", "battery_off", "door_alarm", "hood_alarm"],
  ...["ignition", "parking", "gsm_damp", "security_control"],
] as const;

const Controls = {
  alarmcontrol: Alarm.extend({ always_notify: flag() }).optional(),
  battery_off: Alarm.optional(),
  door_alarm: Alarm.optional(),
  hood_alarm: Alarm.optional(),
  ignition: Alarm.optional(),
  parking: Alarm.optional(),
  gsm_damp: Alarm.optional(),
  security_control: Alarm.optional(),
};

const Assistance = {
  lane_departure_enabled: flag(true),
  forward_collision_enabled: flag(true),
  headway_warning_enabled: flag(true),
  peds_in_danger_zone_enabled: flag(true),
  peds_collision_warning_enabled: flag(true),
  traffic_sign_recognition_enabled: flag(true),
};

const OfTrackers = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.array(z.object(shape)).max(MOST_OF_TRACKERS).nullable().default(null);

const FUEL = {
  sensor_id: id.nullable().default(null),
  tracker_params: OfTrackers({ tracker_id: id, sensor_id: id }),
  display_value: flag(),
};
const RANGE = {
  ...Range,
  sensor_id: id.nullable().default(null),
  tracker_params: OfTrackers({ tracker_id: id.nullable().default(null), ...Range }),
  display_value: flag(true),
};
const WATCHED = {
  ...Watched,
  trigger_value: Watched.trigger_value.nullable().default(null),
  tracker_params: OfTrackers({ tracker_id: id, ...Watched }),
  allow_repeat: flag(),
  repeat_delay_seconds: z.int().min(0).max(2_592_000).nullable().default(null),
  display_value: flag(),
};

const STATUSES = ["arrived", "done", "delayed", "failed"] as const;

/** What `extended_params` has besides the common members, for the types that have more. */
const OWN = {
  inoutzone: z.object({ ...TITLED, ...SETTLING }),
  route: z.object({ ...TITLED, ...SETTLING, allow_exit_at_endpoints: flag() }),
  offline: z.object(MARKS),
  excessive_driving: z.object({
    ...LIMITED,
    max_driving_time: minutes(1, 60_000),
    min_parking_time: minutes(1, 60_000),
  }),
  excessive_parking: z.object({ ...LIMITED, max_parking_duration: minutes(5, 60_000) }),
  task_status_change: z.object({
    ...LIMITED,
    statuses: z.array(z.enum(STATUSES)).max(STATUSES.length).default([]),
    on_form_submission: flag(),
    on_repeated_form_submission: flag(),
  }),
  work_status_change: z.object({ ...LIMITED, status_ids: z.array(id).max(1000).default([]) }),
  fuel_level_leap: z.object({ ...LIMITED, ...FUEL }).refine(namesSensor, NO_SENSOR()),
  sensor_range: z.object({ ...LIMITED, ...RANGE }).refine(namesSensor, NO_SENSOR()),
  state_field_control: z.object({ ...LIMITED, ...WATCHED }).refine(namesState, NO_STATE()),
  distance_control: z.object({
    ...LIMITED,
    observed_trackers: z.array(id).min(1).max(MOST_OF_TRACKERS),
    control_type: z.enum(["moving_away", "approaching"]),
    control_distance_meters: z.int().min(5).max(200_000),
  }),
  driver_assistance: z.object({ ...LIMITED, ...Assistance }),
  autocontrol: z.object({ ...LIMITED, ...Controls }),
} satisfies Partial<Record<RuleType, z.ZodType>>;

const OTHERS = z.object(LIMITED);

/** What `extended_params` of a rule of the type has to be. */
export function extendedOf(type: RuleType): z.ZodType<Record<string, unknown>> {
  const own: Partial<Record<RuleType, z.ZodType<Record<string, unknown>>>> = OWN;
  return own[type] ?? OTHERS;
}

/** Of any type: what is read before the type is looked at, and what an answer may have. */
export const ExtendedParams = z.object({
  ...optional(LIMITED),
  ...optional(SETTLING),
  ...optional({ allow_exit_at_endpoints: flag(), display_value: flag() }),
  ...optional({ max_driving_time: z.int(), min_parking_time: z.int(), max_parking_duration: z.int() }),
  ...optional({ statuses: z.array(z.enum(STATUSES)).max(STATUSES.length), status_ids: z.array(id).max(1000) }),
  ...optional({ on_form_submission: flag(), on_repeated_form_submission: flag() }),
  ...optional({ sensor_id: id, min: z.number(), max: z.number(), threshold: z.number() }),
  ...optional({ ...Watched, allow_repeat: flag(), repeat_delay_seconds: z.int() }),
  ...optional({
    tracker_params: z.array(z.object({ ...optional({ tracker_id: id, ...Range, ...Watched }) })).max(MOST_OF_TRACKERS),
  }),
  ...optional({ observed_trackers: z.array(id).max(MOST_OF_TRACKERS) }),
  ...optional({ control_type: z.enum(["moving_away", "approaching"]), control_distance_meters: z.int() }),
  ...optional(Assistance),
  ...optional(Controls),
});
export type ExtendedParams = z.output<typeof ExtendedParams>;

type Lenient<Shape extends z.ZodRawShape> = { [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Inner<Shape[Name]>>> };
type Inner<Member> =
  Member extends z.ZodDefault<infer Type>
    ? Inner<Type>
    : Member extends z.ZodNullable<infer Type>
      ? Inner<Type>
      : Member extends z.ZodOptional<infer Type>
        ? Inner<Type>
        : Member;

/** Members that may be left out or be null, and then say nothing. */
function optional<Shape extends z.ZodRawShape>(shape: Shape): Lenient<Shape> {
  const members = Object.entries(shape).map(([name, member]) => [
    name,
    bare(member as z.ZodType)
      .nullable()
      .optional(),
  ]);
  // Each member keeps its type, less its default.
  return Object.fromEntries(members) as Lenient<Shape>;
}

function bare(member: z.ZodType): z.ZodType {
  const wraps = member instanceof z.ZodDefault || member instanceof z.ZodNullable || member instanceof z.ZodOptional;
  // Zod's own types hide what kind of schema a default is around.
  return wraps ? bare(member.unwrap() as z.ZodType) : member;
}

type Sensed = { sensor_id: number | null; tracker_params: unknown[] | null };
type Stated = { state_field: string | null; virtual_sensor_id: number | null; tracker_params: unknown[] | null };

function namesSensor({ sensor_id, tracker_params }: Sensed) {
  return sensor_id !== null || (tracker_params ?? []).length > 0;
}

function namesState({ state_field, virtual_sensor_id, tracker_params }: Stated) {
  return state_field !== null || virtual_sensor_id !== null || (tracker_params ?? []).length > 0;
}

function NO_SENSOR() {
  return { path: ["sensor_id"], error: "give a sensor_id or tracker_params" };
}

function NO_STATE() {
  return { path: ["state_field"], error: "give a state_field, a virtual_sensor_id or tracker_params" };
}
