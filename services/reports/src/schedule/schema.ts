import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";
import { Order } from "../report/schema.ts";
import type { ScheduleRow } from "../table/report-schedule.ts";

const ScheduleDays = z.discriminatedUnion("type", [
  z.object({ type: z.literal("weekdays"), weekdays: z.array(z.int().min(1).max(7)).min(1).max(7) }),
  z.object({ type: z.literal("month_days"), month_days: z.array(z.int().min(1).max(31)).min(1).max(31) }),
]);

export const Parameters = z.object({
  /** The length of the report's range before its day: a number and `d`, `w`, `m` or `y`. */
  period: z.string().regex(/^[1-9]\d{0,2}[dwmy]$/, { error: "must be a number and d, w, m or y" }),
  schedule: ScheduleDays,
  report: Order,
  emails: z.array(z.email().max(255)).max(20).default([]),
  email_format: z.enum(["pdf", "xls"]).default("pdf"),
  email_zip: z.boolean().default(false),
  /** When the report is made and mailed: whole hours in the user's zone. */
  sending_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):00:00$/, { error: "must be a whole hour HH:00:00" })
    .default("00:00:00"),
});

// Not strict: callers send back what `list` answered, read-only members included.
export const NewSchedule = z.object({ enabled: z.boolean().default(true), parameters: Parameters });
/** Members that are left out stay; parameters are replaced as a whole. */
export const ChangedSchedule = z.object({
  id: z.int(),
  enabled: z.boolean().optional(),
  parameters: Parameters.optional(),
});

/** The parameters of the request, with defaults. */
const StoredParameters = z.looseObject({ period: z.string() });
export const Schedule = z.object({
  id: z.int(),
  enabled: z.boolean(),
  parameters: StoredParameters,
  /** When it makes the next report. */
  fire_time: dateTime(),
  /** The last report, or the code of the error that prevented it; null before the first one. */
  last_result: z
    .union([
      z.object({ success: z.literal(true), id: z.int() }),
      z.object({ success: z.literal(false), code: z.int() }),
    ])
    .nullable(),
});

export function toSchedule({ id, enabled, parameters, next_run, last_result }: ScheduleRow): z.output<typeof Schedule> {
  return { id, enabled, parameters, fire_time: next_run, last_result };
}
