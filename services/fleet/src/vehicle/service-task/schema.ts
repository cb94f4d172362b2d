import * as z from "zod";
import { FileObject } from "#shared/contract/file/file-object.ts";
import { changesOf } from "#shared/operation/changes.ts";
import { dateTime, text } from "#shared/operation/fields.ts";
import { foldText } from "#shared/text/fold.ts";
import { SERVICE_TASK_STATUSES, type ServiceTaskRow } from "../../table/vehicle/service-task.ts";
import { type CounterValues, predict } from "./stage.ts";

const amount = () => z.number().min(0).max(1e9);
const interval = () => z.number().positive().max(1e9);
const days = () => z.int().max(36_500);

/** A condition in kilometers or hours since the task's start. */
const ByCounter = z.object({
  limit: interval(),
  notification_interval: amount().default(0),
  repeat_interval: interval().optional(),
});
/** A condition by date; its intervals are in days. */
const ByDate = z.object({
  end: dateTime(),
  notification_interval: days().min(0).default(0),
  repeat_interval: days().min(1).optional(),
});

const Conditions = z
  .object({ mileage: ByCounter.optional(), date: ByDate.optional(), engine_hours: ByCounter.optional() })
  .refine(({ mileage, date, engine_hours }) => mileage || date || engine_hours, {
    error: "must have mileage, date or engine_hours",
  });

export type ConditionsOfTask = z.output<typeof Conditions>;

const Notifications = z.object({
  /** International numbers without a plus sign. */
  sms_phones: z
    .array(z.string().regex(/^\d{5,15}$/, { error: "must be 5 to 15 digits" }))
    .max(20)
    .default([]),
  emails: z.array(z.email().max(255)).max(20).default([]),
  push_enabled: z.boolean().default(false),
});

const Members = z.object({
  description: text(255).min(1),
  comment: text(255).default(""),
  repeat: z.boolean().default(false),
  unplanned: z.boolean().default(false),
  cost: amount().default(0),
  conditions: Conditions,
  notifications: Notifications.default({ sms_phones: [], emails: [], push_enabled: false }),
  file_ids: z.array(z.int()).max(100).default([]),
});

/** A task for several vehicles. */
export const TaskOfVehicles = Members;
export type TaskOfVehicles = z.output<typeof TaskOfVehicles>;
export const NewServiceTask = Members.extend({ vehicle_id: z.int() });
/** `vehicle_id` may only be the task's current vehicle. */
export const ChangedServiceTask = changesOf(Members).extend({ id: z.int(), vehicle_id: z.int().optional() });

const CounterSnapshot = z.object({
  mileage: z.number().nullable(),
  date: dateTime(),
  engine_hours: z.number().nullable(),
});

export const ServiceTask = Members.extend({
  id: z.int(),
  vehicle_id: z.int(),
  vehicle_label: z.string(),
  status: z.enum(SERVICE_TASK_STATUSES),
  start: CounterSnapshot,
  /** Absent until the task is completed. */
  completion: CounterSnapshot.optional(),
  completion_date: dateTime().nullable(),
  current_position: CounterSnapshot,
  prediction: z.object({ end_date: dateTime().nullable(), wear_percentage: z.int() }).optional(),
});
export type ServiceTask = z.output<typeof ServiceTask>;

/** `/vehicle/service_task/read` answers the files themselves besides their ids. */
export const ReadServiceTask = ServiceTask.extend({ files: z.array(FileObject) });

/** The columns that the caller sets. */
export function columnsOf({ conditions, notifications, file_ids, ...plain }: TaskOfVehicles) {
  return {
    ...plain,
    ...notifications,
    ...conditionColumnsOf(conditions),
    file_ids: [...new Set(file_ids)],
    description_folded: foldText(plain.description),
    comment_folded: foldText(plain.comment),
  };
}

/** The columns that a change sets, except the conditions. */
export function columnsOfChanges({ notifications, ...changes }: Partial<Omit<TaskOfVehicles, "conditions">>) {
  const { description, comment, file_ids } = changes;
  return {
    ...changes,
    ...notifications,
    file_ids: file_ids && [...new Set(file_ids)],
    description_folded: description && foldText(description),
    comment_folded: comment && foldText(comment),
  };
}

export function conditionColumnsOf({ mileage, date, engine_hours }: ConditionsOfTask) {
  return {
    mileage_limit: mileage?.limit ?? null,
    mileage_notification: mileage?.notification_interval ?? null,
    mileage_repeat: mileage?.repeat_interval ?? null,
    hours_limit: engine_hours?.limit ?? null,
    hours_notification: engine_hours?.notification_interval ?? null,
    hours_repeat: engine_hours?.repeat_interval ?? null,
    date_end: date?.end ?? null,
    date_notification: date?.notification_interval ?? null,
    date_repeat: date?.repeat_interval ?? null,
  };
}

type TaskContext = { vehicle_label: string; counterState: CounterValues; now: number; withPrediction: boolean };

export function toServiceTask(
  row: ServiceTaskRow,
  { vehicle_label, counterState, now, withPrediction }: TaskContext,
): ServiceTask {
  const { completion_date } = row;
  const isDone = completion_date !== null;
  return {
    id: row.id,
    vehicle_id: row.vehicle_id,
    vehicle_label,
    description: row.description,
    comment: row.comment,
    status: row.status,
    repeat: row.repeat,
    unplanned: row.unplanned,
    cost: row.cost,
    conditions: {
      mileage: byCounter(row.mileage_limit, row.mileage_notification, row.mileage_repeat),
      date:
        row.date_end === null ? undefined : { end: row.date_end, ...intervals(row.date_notification, row.date_repeat) },
      engine_hours: byCounter(row.hours_limit, row.hours_notification, row.hours_repeat),
    },
    notifications: { sms_phones: row.sms_phones, emails: row.emails, push_enabled: row.push_enabled },
    file_ids: row.file_ids,
    start: { mileage: row.start_mileage, date: row.start_date, engine_hours: row.start_hours },
    completion: isDone
      ? { mileage: row.completion_mileage, date: completion_date, engine_hours: row.completion_hours }
      : undefined,
    completion_date,
    current_position: { mileage: counterState.mileage, date: now, engine_hours: counterState.engine_hours },
    prediction: withPrediction && !isDone ? predict(row, counterState, now) : undefined,
  };
}

function byCounter(limit: number | null, notification: number | null, repeat: number | null) {
  return limit === null ? undefined : { limit, ...intervals(notification, repeat) };
}

function intervals(notification: number | null, repeat: number | null) {
  return { notification_interval: notification ?? 0, repeat_interval: repeat ?? undefined };
}
