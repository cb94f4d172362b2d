import { z } from "zod";
import { invalid, type Offence } from "#shared/error/api-error.ts";
import { dateTime, type Location, location, text } from "#shared/operation/fields.ts";
import { completeFrom, toPartial } from "#shared/operation/partial.ts";
import { foldText } from "#shared/text/fold.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TemplateChoice } from "../form/issue-queries.ts";
import { Form, type PublicForm, toForm } from "../form/schema.ts";
import { ORIGINS, STATUSES, type TaskRow } from "../table/task/task.ts";

/** At most some 355 days. */
export const minutes = () => z.int().min(0).max(512_000).default(0);
export const label = () => text(200).refine((value) => value.trim() !== "", { error: "must not be blank" });
export const description = () => text(1024);
/** A circle. */
export const circle = () => location().extend({ radius: z.int().min(1).max(300_000) });
export const changedCircle = () => toPartial(circle()).optional();
export const tags = () => z.array(z.int()).max(1000).default([]);
export const externalId = () => text(100).min(1).nullable().default(null);

// Not strict: callers send back what `read` gave them, read-only members included.
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
/** Counts with `create_form` alone: null takes away the form that there is. */
const Template = { form_template_id: z.int().nullable().optional() };

export const NewTask = Members.extend({
  ...Template,
  tracker_id: z.int().nullable().default(null),
  /** `imported` counts where it is told of which import; whatever else is given, a task is `manual`. */
  origin: z.unknown().optional(),
  import_id: z.unknown().optional(),
});
export type NewTask = z.output<typeof NewTask>;
/** What update takes: what is left out stays, also of the location; the tracker does always. */
export const ChangedTask = toPartial(Members).extend({ ...Template, id: z.int(), location: changedCircle() });
/** A task without a tracker: what a route is made of. */
export const TaskWithoutTracker = Members.extend(Template);
/** What callers may set of tasks and checkpoints. */
export type TaskMembers = z.output<typeof Members>;
/** The same, of which some may be left out. */
export type TaskChanges = Omit<Partial<TaskMembers>, "location"> & { location?: Partial<TaskMembers["location"]> };

export const Task = Members.extend({
  id: z.int(),
  /** The master. */
  user_id: z.int(),
  tracker_id: z.int().nullable(),
  creation_date: dateTime(),
  status: z.enum(STATUSES),
  status_change_date: dateTime(),
  arrival_date: dateTime().nullable(),
  stay_duration: z.int(),
  origin: z.enum(ORIGINS),
  files: z.array(z.unknown()),
  /** Where it has one. */
  form: Form.optional(),
  type: z.literal("task"),
});
export type Task = z.output<typeof Task>;

/** For `external_id_counts`: those of the request that more than one thing has. */
export const ExternalIdCounts = z.array(z.object({ external_id: z.string(), count: z.int() })).optional();

/** The row, less what is ours alone, with the tags that it carries. */
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

/** Only routes have none. */
export function requireLocation(location: TaskRow["location"]) {
  if (!location) throw new Error("a place was expected");
  return location;
}

/** What the caller may set, as columns. */
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

/** Of a task that nobody has worked on yet. */
export function toInitialColumns(tracker_id: number | null, now: number) {
  const status: TaskRow["status"] = tracker_id === null ? "unassigned" : "assigned";
  return { tracker_id, status, status_change_date: now, creation_date: now, stay_duration: 0 };
}

type Texts = { label: string; description: string; external_id?: string | null; location?: Location };

/** The copies that are searched and sorted. */
export function foldTexts({ label, description, external_id = null, location }: Texts) {
  return {
    label_folded: foldText(label),
    description_folded: foldText(description),
    address_folded: location ? foldText(location.address) : null,
    external_id_folded: external_id === null ? null : foldText(external_id),
  };
}

/** What callers may set of a task, as it is. */
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

/** Work must end in the future, and not before it begins. An end that stays is no matter of an update. */
export function requirePeriod(period: Period, now: number, thing: string, current?: Period) {
  const offence = findPeriodOffence(period, now, current);
  if (offence) throw invalid(`${thing}.${offence.parameter}`, offence.error);
}

/** What is wrong with the period of a thing to be. */
export function findPeriodOffence({ from, to }: Period, now: number, current?: Period): Offence | undefined {
  // The caller speaks in whole seconds: the last one counts to its end.
  const isNew = current === undefined || toSecond(to) !== toSecond(current.to);
  if (isNew && to + 999 < now) return { parameter: "to", error: "must not be in the past" };
  return from > to ? { parameter: "from", error: "must not be after to" } : undefined;
}

function toSecond(ms: number) {
  return Math.floor(ms / 1000);
}

/** From which template a form is to be issued: undefined where the call is none about forms. */
export function chooseTemplate(create_form: boolean, form_template_id: TemplateChoice): TemplateChoice {
  return create_form ? form_template_id : undefined;
}

export function unknownTemplateError() {
  return invalid("task.form_template_id", "is not a form template of yours");
}
