import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import { toPartial } from "#shared/operation/partial.ts";
import type { ScheduleRow } from "../table/schedule/task-schedule.ts";
import { changedCircle, circle, description, foldTexts, label, minutes, tags } from "../task/schema.ts";
import { findNextRun } from "./days.ts";

const Days = z.discriminatedUnion("type", [
  z.object({ type: z.literal("weekdays"), weekdays: z.array(z.int().min(1).max(7)).min(1).max(7) }),
  z.object({ type: z.literal("month_days"), month_days: z.array(z.int().min(1).max(31)).min(1).max(31) }),
]);

// Not strict: callers send back what `read` answered, read-only members included.
export const Members = z.object({
  tracker_id: z.int().nullable().default(null),
  location: circle(),
  label: label(),
  description: description(),
  from_time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, { error: "must be a time HH:MM:SS" }),
  /** Minutes, at most 32 days. */
  duration: z.int().min(1).max(46_080),
  max_delay: minutes(),
  min_stay_duration: minutes(),
  min_arrival_duration: minutes(),
  parameters: Days,
  tags: tags(),
  form_template_id: z.int().nullable().default(null),
});

export const NewSchedule = Members;
export type NewSchedule = z.output<typeof NewSchedule>;
/** Members that are left out stay, also members of the location. */
export const ChangedSchedule = toPartial(Members).extend({
  id: z.int(),
  location: changedCircle(),
  /** False ends a pause; a new tracker ends it as well. */
  paused: z.boolean().optional(),
});
export type ChangedSchedule = z.output<typeof ChangedSchedule>;

export const Schedule = Members.extend({
  id: z.int(),
  /** The id of the account's master. */
  user_id: z.int(),
  files: z.array(z.unknown()),
  type: z.literal("task"),
  /** True after its tracker was removed: the schedule makes no tasks. */
  paused: z.boolean(),
});
export type Schedule = z.output<typeof Schedule>;

/** A schedule's row with its tags, without the columns that callers never see. */
export type PublicSchedule = Omit<ScheduleRow, "revision" | "time_zone" | "next_run" | `${string}_folded`> & {
  tags: number[];
};

export function toSchedule({ account_id, parent_id, order, ...row }: PublicSchedule): Schedule {
  return { ...row, user_id: account_id, files: [], type: "task" };
}

/** The members of a schedule that callers may set, with their stored values. */
export function toMembers(row: PublicSchedule): NewSchedule {
  const { id, account_id, paused, type, parent_id, order, ...members } = row;
  return members;
}

/** The members that callers may set, as columns. Days and times are those of the account's zone. */
export function toColumns(schedule: NewSchedule, { account_time_zone: time_zone }: Principal, now: number) {
  const { tags, ...plain } = schedule;
  const { label_folded, description_folded, address_folded } = foldTexts(schedule);
  return {
    ...plain,
    time_zone,
    next_run: findNextRun(plain.parameters, now, time_zone),
    label_folded,
    description_folded,
    address_folded: address_folded ?? "",
  };
}
