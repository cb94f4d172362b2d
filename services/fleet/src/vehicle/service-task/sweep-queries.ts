import { asc, type SQL, sql } from "drizzle-orm";
import type { NewEvent } from "#shared/contract/event/event.ts";
import type { ServiceNotice } from "#shared/contract/event/service-notice.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { insertEvents } from "../../history/event-queries.ts";
import { mailOutbox } from "../../table/outbox/mail-outbox.ts";
import { type ServiceTaskRow, serviceTask } from "../../table/vehicle/service-task.ts";
import { selectWithVehicle } from "./queries.ts";

export type TaskOnVehicle = Awaited<ReturnType<ReturnType<typeof selectWithVehicle>["execute"]>>[number];
/** When a task is checked next, and its predicted end. */
export type NextCheck = Pick<ServiceTaskRow, "due_at" | "checked_at" | "predicted_date">;
/** The status and revision with which a task was read. */
export type TaskVersion = { task_id: number; from: ServiceTaskRow["status"]; revision: number };

type TaskTransitions = {
  tasks: (TaskVersion & NextCheck & { to: ServiceTaskRow["status"] })[];
  events: (TaskVersion & NewEvent)[];
  mails: (TaskVersion & { notice: ServiceNotice })[];
};

/** Tasks whose status the date changes now, longest due first; accounts alternate. */
export function selectDueTasks(db: Database, now: number, limit: number): Promise<TaskOnVehicle[]> {
  const due = { isWaiting: sql`due_at IS NOT NULL`, isDue: sql`due_at <= ${now}`, order: sql`due_at` };
  return selectTasksByAccount(db, due, limit);
}

/** Tasks to compare with their counters, longest unchecked first; accounts alternate. */
export function selectUncheckedTasks(db: Database, now: number, limit: number): Promise<TaskOnVehicle[]> {
  const unchecked = { isWaiting: sql`checked_at IS NOT NULL`, isDue: sql`checked_at < ${now}`, order: sql`checked_at` };
  return selectTasksByAccount(db, unchecked, limit);
}

function selectTasksByAccount(db: Database, waiting: { isWaiting: SQL; isDue: SQL; order: SQL }, limit: number) {
  const ids = selectDueByAccount({ table: serviceTask, ...waiting }, limit);
  return selectWithVehicle(db).where(sql`${serviceTask.id} IN (${ids})`).orderBy(asc(serviceTask.id));
}

/**
 * Stores transitions with their events and mails in one transaction; tasks that changed since they were read are
 * skipped with theirs.
 */
export async function storeTransitions(db: Database, now: number, { tasks, events, mails }: TaskTransitions) {
  await write(db, {
    events: insertEvents(db, events, now, IS_AS_READ),
    mails: db
      .insert(mailOutbox)
      .select(
        sql`SELECT mail.value ->> '$.notice.id', mail.value ->> '$.notice.account_id', mail.value -> '$.notice'
          FROM json_each(${JSON.stringify(mails)}) AS mail WHERE ${IS_AS_READ}`,
      )
      .onConflictDoNothing(),
    moves: db.run(
      sql`UPDATE ${serviceTask} SET status = move.value ->> 'to', due_at = move.value ->> 'due_at',
          checked_at = move.value ->> 'checked_at', predicted_date = move.value ->> 'predicted_date'
        FROM json_each(${JSON.stringify(tasks)}) AS move WHERE ${serviceTask.id} = move.value ->> 'task_id'
          AND ${serviceTask.status} = move.value ->> 'from' AND ${serviceTask.revision} = move.value ->> 'revision'`,
    ),
  });
}

/** For statements over a JSON array: the task of the element `value` is still as it was read. */
const IS_AS_READ = sql`EXISTS (SELECT 1 FROM ${serviceTask} AS task WHERE task.id = value ->> 'task_id'
  AND task.status = value ->> 'from' AND task.revision = value ->> 'revision')`;
