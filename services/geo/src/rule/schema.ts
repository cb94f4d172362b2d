import * as z from "zod";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { changesOf } from "#shared/operation/changes.ts";
import { text } from "#shared/operation/fields.ts";
import { offencesOf } from "#shared/operation/parameters.ts";
import { type Interval, RULE_TYPES, type RuleRow, type RuleType } from "../table/rule/rule.ts";
import { needsZones, permitsZones } from "./evaluation/rule-kinds.ts";
import { ExtendedParams, extendedSchemaOf } from "./extended-params.ts";

const WeekTime = z.object({
  /** 1 is Monday, 7 is Sunday. */
  weekday: z.int().min(1).max(7),
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, { error: "must be a time HH:MM:SS" }),
});
/** Wall-clock time: its moment changes with the account's time zone. */
const WallTime = z.string().refine(isWallTime, { error: "must be a local time YYYY-MM-DD HH:MM:SS" });
const interval_id = z.int().nullable().optional();

const NewInterval = z.discriminatedUnion("type", [
  z.object({ type: z.literal("weekly"), from: WeekTime, to: WeekTime, interval_id }),
  z.object({ type: z.literal("fixed"), from: WallTime, to: WallTime, interval_id }),
]);

const Alerts = z.object({
  push_enabled: z.boolean().default(false),
  emails: z.array(z.email().max(254)).max(50).default([]),
  sms_phones: z.array(z.string().max(32)).max(50).default([]),
  phones: z.array(z.string().max(32)).max(50).default([]),
  emergency: z.boolean().default(false),
});

// Not strict: callers send back what `list` gave them, read-only members included.
export const NewRule = z.object({
  type: z.enum(RULE_TYPES),
  name: text(255).min(1),
  description: text(1024).default(""),
  zone_ids: z.array(z.int()).max(25_000).default([]),
  trackers: z.array(z.int()).max(10_000).default([]),
  primary_text: text(1024).default(""),
  secondary_text: text(1024).default(""),
  param: z.int().default(0),
  alerts: Alerts.prefault({}),
  suspended: z.boolean().default(false),
  schedule: z.array(NewInterval).max(100).default([]),
  extended_params: ExtendedParams.prefault({}),
});
export type NewRule = z.output<typeof NewRule>;

/** Changes of a rule: members that are left out keep their values. */
export const ChangedRule = changesOf(NewRule).extend({ id: z.int() });
export type ChangedRule = z.output<typeof ChangedRule>;

export const Rule = NewRule.extend({
  id: z.int(),
  auto_created: z.boolean(),
  alerts: z.object({
    push_enabled: z.boolean(),
    emails: z.array(z.string()),
    sms_phones: z.array(z.string()),
    phones: z.array(z.string()),
    emergency: z.boolean(),
  }),
  schedule: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("weekly"), from: WeekTime, to: WeekTime, interval_id: z.int() }),
      z.object({ type: z.literal("fixed"), from: z.string(), to: z.string(), interval_id: z.int() }),
    ]),
  ),
});
export type Rule = z.output<typeof Rule>;

export type RuleWithLinks = RuleRow & { zone_ids: number[]; trackers: number[] };

export function toRule(row: RuleWithLinks): Rule {
  const { account_id, revision, author_id, private_to, next_interval, ...members } = row;
  // The cast is safe: the column was written from the type's schema.
  return { ...members, extended_params: members.extended_params as ExtendedParams };
}

/** Checks the members that depend on the type, and drops those of other types. */
export function fitToType(rule: NewRule): NewRule {
  requireZones(rule);
  const checked = z
    .object({ param: paramSchemaOf(rule.type), extended_params: extendedSchemaOf(rule.type) })
    .safeParse({ param: rule.param, extended_params: dropNulls(rule.extended_params) });
  if (!checked.success) {
    const errors = offencesOf(checked.error.issues, rule);
    throw new ApiError(7, { errors: errors.map((one) => ({ ...one, parameter: `rule.${one.parameter}` })) });
  }
  return { ...rule, extended_params: checked.data.extended_params };
}

/** Numbers the schedule's intervals: known intervals keep their ids, others get the next ones. */
export function numberIntervals(schedule: NewRule["schedule"], known: Interval[], next: number) {
  const free = new Set(known.map(({ interval_id }) => interval_id));
  let next_interval = next;
  const intervals = schedule.map((interval): Interval => {
    const requested = interval.interval_id ?? 0;
    // An id that appears twice is kept by its first interval only.
    const id = free.delete(requested) ? requested : next_interval++;
    return { ...interval, interval_id: id };
  });
  return { schedule: intervals, next_interval };
}

function requireZones({ type, zone_ids }: NewRule) {
  if (needsZones(type) && zone_ids.length === 0) throw invalid("rule.zone_ids", "must not be empty for this type");
  if (!permitsZones(type) && zone_ids.length > 0) throw invalid("rule.zone_ids", "must be empty for this type");
}

function paramSchemaOf(type: RuleType): z.ZodType<number> {
  const [min, max] = PARAM_RANGES[type] ?? [-2_147_483_648, 2_147_483_647];
  return z.int().min(min).max(max);
}

/** The range of `param` for types that use it: km/h, minutes, or the number of an input or output. */
export const PARAM_RANGES: Partial<Record<RuleType, [min: number, max: number]>> = {
  speedup: [1, 1000],
  idling_soft: [1, 60_000],
  offline: [0, 60_000],
  input_change: [1, 32],
  output_change: [1, 32],
};

/** Drops null members: they mean the same as missing ones. */
function dropNulls(members: object) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function isWallTime(value: string) {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) return false;
  const ms = Date.parse(`${value.replace(" ", "T")}Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value.replace(" ", "T"));
}
