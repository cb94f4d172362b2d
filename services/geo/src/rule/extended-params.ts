import * as z from "zod";
import type { RuleType } from "../table/rule/rule.ts";

const flag = (value = false) => z.boolean().default(value);
const id = z.int().min(1);
const minutes = (min: number, max: number) => z.int().min(min).max(max);

const COMMON = {
  emergency: flag(),
  /** For a sub-user's rule: only this sub-user sees the rule and its notifications. */
  private_rule: flag(),
};
const TITLED = { ...COMMON, append_zone_title: z.boolean().nullable().default(null) };
/** For types that zones limit; true: the rule applies outside of its zones. */
const LIMITED = { ...TITLED, zone_limit_inverted: flag() };

/** How an entry or exit is confirmed despite scattered fixes at a border; all null: by how far the vehicle moved. */
const CONFIRMATION = {
  confirm_points: z.int().min(1).max(100).nullable().default(null),
  min_dwell_seconds: z.int().min(0).max(86_400).nullable().default(null),
  exit_margin_meters: z.int().min(0).max(10_000).nullable().default(null),
  max_precision_meters: z.int().min(1).max(100_000).nullable().default(null),
};

const SensorRange = {
  sensor_id: id,
  min: z.number().nullable().default(null),
  max: z.number().nullable().default(null),
  threshold: z.number().min(0).default(0.03),
};
const WatchedState = {
  trigger_value: z.union([z.string().max(255), z.number(), z.boolean()]),
  state_field: z.string().min(1).max(64).nullable().default(null),
  virtual_sensor_id: id.nullable().default(null),
};
const MAX_TRACKERS = 1000;

const Alarm = z.object({ enabled: flag(), sms: flag(), call: flag(), email: flag(), push: flag() });

/** The alarms that a rule of type `autocontrol` combines. */
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

const perTracker = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.array(z.object(shape)).max(MAX_TRACKERS).nullable().default(null);

const FUEL = {
  sensor_id: id.nullable().default(null),
  tracker_params: perTracker({ tracker_id: id, sensor_id: id }),
  display_value: flag(),
};
const RANGE = {
  ...SensorRange,
  sensor_id: id.nullable().default(null),
  tracker_params: perTracker({ tracker_id: id.nullable().default(null), ...SensorRange }),
  display_value: flag(true),
};
const WATCHED = {
  ...WatchedState,
  trigger_value: WatchedState.trigger_value.nullable().default(null),
  tracker_params: perTracker({ tracker_id: id, ...WatchedState }),
  allow_repeat: flag(),
  repeat_delay_seconds: z.int().min(0).max(2_592_000).nullable().default(null),
  display_value: flag(),
};

const STATUSES = ["arrived", "done", "delayed", "failed"] as const;

/** The `extended_params` of the types that have members of their own. */
const PARAMS_BY_TYPE = {
  inoutzone: z.object({ ...TITLED, ...CONFIRMATION }),
  route: z.object({ ...TITLED, ...CONFIRMATION, allow_exit_at_endpoints: flag() }),
  offline: z.object(COMMON),
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
  fuel_level_leap: z.object({ ...LIMITED, ...FUEL }).refine(hasSensor, noSensorError()),
  sensor_range: z.object({ ...LIMITED, ...RANGE }).refine(hasSensor, noSensorError()),
  state_field_control: z.object({ ...LIMITED, ...WATCHED }).refine(hasState, noStateError()),
  distance_control: z.object({
    ...LIMITED,
    observed_trackers: z.array(id).min(1).max(MAX_TRACKERS),
    control_type: z.enum(["moving_away", "approaching"]),
    control_distance_meters: z.int().min(5).max(200_000),
  }),
  driver_assistance: z.object({ ...LIMITED, ...Assistance }),
  autocontrol: z.object({ ...LIMITED, ...Controls }),
} satisfies Partial<Record<RuleType, z.ZodType>>;

const OTHER_PARAMS = z.object(LIMITED);

/** The schema of `extended_params` for a type of rule. */
export function extendedSchemaOf(type: RuleType): z.ZodType<Record<string, unknown>> {
  const schemas: Partial<Record<RuleType, z.ZodType<Record<string, unknown>>>> = PARAMS_BY_TYPE;
  return schemas[type] ?? OTHER_PARAMS;
}

/** `extended_params` of any type: for parsing before the type is checked, and for answers. */
export const ExtendedParams = z.object({
  ...toOptional(LIMITED),
  ...toOptional(CONFIRMATION),
  ...toOptional({ allow_exit_at_endpoints: flag(), display_value: flag() }),
  ...toOptional({ max_driving_time: z.int(), min_parking_time: z.int(), max_parking_duration: z.int() }),
  ...toOptional({ statuses: z.array(z.enum(STATUSES)).max(STATUSES.length), status_ids: z.array(id).max(1000) }),
  ...toOptional({ on_form_submission: flag(), on_repeated_form_submission: flag() }),
  ...toOptional({ sensor_id: id, min: z.number(), max: z.number(), threshold: z.number() }),
  ...toOptional({ ...WatchedState, allow_repeat: flag(), repeat_delay_seconds: z.int() }),
  ...toOptional({
    tracker_params: z
      .array(z.object({ ...toOptional({ tracker_id: id, ...SensorRange, ...WatchedState }) }))
      .max(MAX_TRACKERS),
  }),
  ...toOptional({ observed_trackers: z.array(id).max(MAX_TRACKERS) }),
  ...toOptional({ control_type: z.enum(["moving_away", "approaching"]), control_distance_meters: z.int() }),
  ...toOptional(Assistance),
  ...toOptional(Controls),
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

/** Makes members optional and nullable, without defaults. */
function toOptional<Shape extends z.ZodRawShape>(shape: Shape): Lenient<Shape> {
  const members = Object.entries(shape).map(([name, member]) => [
    name,
    unwrapSchema(member as z.ZodType)
      .nullable()
      .optional(),
  ]);
  // The cast is safe: each member keeps its type and loses its default.
  return Object.fromEntries(members) as Lenient<Shape>;
}

function unwrapSchema(member: z.ZodType): z.ZodType {
  const wraps = member instanceof z.ZodDefault || member instanceof z.ZodNullable || member instanceof z.ZodOptional;
  // Zod's own types hide what kind of schema a default is around.
  return wraps ? unwrapSchema(member.unwrap() as z.ZodType) : member;
}

type SensorChoice = { sensor_id: number | null; tracker_params: unknown[] | null };
type StateChoice = { state_field: string | null; virtual_sensor_id: number | null; tracker_params: unknown[] | null };

function hasSensor({ sensor_id, tracker_params }: SensorChoice) {
  return sensor_id !== null || (tracker_params ?? []).length > 0;
}

function hasState({ state_field, virtual_sensor_id, tracker_params }: StateChoice) {
  return state_field !== null || virtual_sensor_id !== null || (tracker_params ?? []).length > 0;
}

function noSensorError() {
  return { path: ["sensor_id"], error: "give a sensor_id or tracker_params" };
}

function noStateError() {
  return { path: ["state_field"], error: "give a state_field, a virtual_sensor_id or tracker_params" };
}
