import * as z from "zod";
import { invalid, type Offence } from "#shared/error/api-error.ts";
import { dateTime, type Location, location, text } from "#shared/operation/fields.ts";
import { completeFrom, toPartial } from "#shared/operation/partial.ts";
import { foldText } from "#shared/text/fold.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TemplateChoice } from "../form/issue-queries.ts";
import { Form, type PublicForm, toForm } from "../form/schema.ts";
import { ORIGINS, STATUSES, type TaskRow } from "../table/task/task.ts";

/** At most about 355 days. */
export const minutes = () => z.int().min(0).max(512_000).default(0);
export const label = () => text(200).refine((value) => value.trim() !== "", { error: "must not be blank" });
export const description = () => text(1024);
/** A position with a radius in meters. */
export const circle = () => location().extend({ radius: z.int().min(1).max(300_000) });
export const changedCircle = () => toPartial(circle()).optional();
export const tags = () => z.array(z.int()).max(1000).default([]);
export const externalId = () => text(100).min(1).nullable().default(null);

// Not strict: callers send back what `read` answered, read-only members included.
const Members = z.object({
  location: circle(),
  label: label(),
  description: description(),
  from: dateTime(),
  to: dateTime(),
  external_id: externalId(),
  max_delay: minutes(),
  min_stay_duration: minutes(),
  /** Shorter visits do not count. */
  min_arrival_duration: minutes(),
  tags: tags(),
});
/** Used only with `create_form`; null removes the form. */
const Template = { form_template_id: z.int().nullable().optional() };

export const NewTask = Members.extend({
  ...Template,
  tracker_id: z.int().nullable().default(null),
  /** `imported` counts only together with an import id; any other origin becomes `manual`. */
  origin: z.unknown().optional(),
  import_id: z.unknown().optional(),
});
export type NewTask = z.output<typeof NewTask>;
/** Members that are left out stay, also members of the location; the tracker cannot be changed here. */
export const ChangedTask = toPartial(Members).extend({ ...Template, id: z.int(), location: changedCircle() });
/** The members of a checkpoint: its route has the tracker. */
export const TaskWithoutTracker = Members.extend(Template);
/** The members of tasks and checkpoints that callers may set. */
export type TaskMembers = z.output<typeof Members>;
/** Changed members of a task or checkpoint. */
export type TaskChanges = Omit<Partial<TaskMembers>, "location"> & { location?: Partial<TaskMembers["location"]> };

export const Task = Members.extend({
  id: z.int(),
  /** The id of the account's master. */
  user_id: z.int(),
  tracker_id: z.int().nullable(),
  creation_date: dateTime(),
  status: z.enum(STATUSES),
  status_change_date: dateTime(),
  arrival_date: dateTime().nullable(),
  stay_duration: z.int(),
  origin: z.enum(ORIGINS),
  files: z.array(z.unknown()),
  /** Left out for a task without a form. */
  form: Form.optional(),
  type: z.literal("task"),
});
export type Task = z.output<typeof Task>;

/** Counts for those external ids of a request that more than one task has. */
export const ExternalIdCounts = z.array(z.object({ external_id: z.string(), count: z.int() })).optional();

/** A task's row with its tags, without the columns that callers never see. */
export type PublicTask = Omit<
  TaskRow,
  "revision" | "lat" | "lng" | "deadline" | `schedule_${string}` | `${string}_folded`
> & {
  tags: number[];
  form?: PublicForm | null;
};

export function toTask({ account_id, parent_id, order, type, location, form, ...row }: PublicTask): Task {
  const shown = { ...row, user_id: account_id, location: requireLocation(location), files: [], type: "task" as const };
  return form ? { ...shown, form: toForm(form) } : shown;
}

/** The location of a task or checkpoint; only routes have none. */
export function requireLocation(location: TaskRow["location"]) {
  if (!location) throw new Error("a place was expected");
  return location;
}

/** The members that callers may set, as columns. */
export function toColumns({ tags, ...members }: TaskMembers) {
  return {
    location: members.location,
    lat: members.location.lat,
    lng: members.location.lng,
    label: members.label,
    description: members.description,
    from: members.from,
    to: members.to,
    external_id: members.external_id,
    max_delay: members.max_delay,
    min_stay_duration: members.min_stay_duration,
    min_arrival_duration: members.min_arrival_duration,
    deadline: members.to + members.max_delay * MINUTE_MS,
    ...foldTexts(members),
  };
}

/** Columns of a new or newly assigned task. */
export function toInitialColumns(tracker_id: number | null, now: number) {
  const status: TaskRow["status"] = tracker_id === null ? "unassigned" : "assigned";
  return { tracker_id, status, status_change_date: now, creation_date: now, stay_duration: 0 };
}

type Texts = { label: string; description: string; external_id?: string | null; location?: Location };

/** Folded copies (lower case, no diacritics) for search and sorting. */
export function foldTexts({ label, description, external_id = null, location }: Texts) {
  return {
    label_folded: foldText(label),
    description_folded: foldText(description),
    address_folded: location ? foldText(location.address) : null,
    external_id_folded: external_id === null ? null : foldText(external_id),
  };
}

/** The members of a task that callers may set, with their stored values. */
export function toMembers(row: PublicTask): TaskMembers {
  const { label, description, from, to, external_id, tags } = row;
  const { max_delay, min_stay_duration, min_arrival_duration } = row;
  const limits = { max_delay, min_stay_duration, min_arrival_duration };
  return { label, description, from, to, external_id, tags, ...limits, location: requireLocation(row.location) };
}

export function applyChanges(current: TaskMembers, { location, ...given }: TaskChanges): TaskMembers {
  return { ...completeFrom(current, given), location: completeFrom(current.location, location) };
}

type Period = { from: number; to: number };

/** Throws unless the work ends in the future and not before it begins. An update may keep an end in the past. */
export function requirePeriod(period: Period, now: number, thing: string, current?: Period) {
  const offence = findPeriodOffence(period, now, current);
  if (offence) throw invalid(`${thing}.${offence.parameter}`, offence.error);
}

/** The offence of a period, if it has one. */
export function findPeriodOffence({ from, to }: Period, now: number, current?: Period): Offence | undefined {
  // Callers give whole seconds: the last second counts to its end.
  const isNew = current === undefined || toSecond(to) !== toSecond(current.to);
  if (isNew && to + 999 < now) return { parameter: "to", error: "must not be in the past" };
  return from > to ? { parameter: "from", error: "must not be after to" } : undefined;
}

function toSecond(ms: number) {
  return Math.floor(ms / 1000);
}

/**
 * The template to issue a form from; undefined leaves the form as it is, because the call did not ask for
 * `create_form`.
 */
export function chooseTemplate(create_form: boolean, form_template_id: TemplateChoice): TemplateChoice {
  return create_form ? form_template_id : undefined;
}

export function unknownTemplateError() {
  return invalid("task.form_template_id", "is not a form template of yours");
}
