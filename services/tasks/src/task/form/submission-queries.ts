import { and, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, outdatedError, stepsOfEach, write } from "#shared/database/steps.ts";
import { submitForm } from "../../form/queries.ts";
import type { Submission } from "../../form/schema.ts";
import { recordChange } from "../../outbox/audit.ts";
import { eventOutbox } from "../../table/outbox/event-outbox.ts";
import { task } from "../../table/task/task.ts";
import { completeIfReady, EVENT_EXTRA } from "../completion-queries.ts";
import { hasTask } from "../queries.ts";
import { mayHaveForm } from "./queries.ts";

export type TaskFormSubmission = Submission & {
  task_id: number;
  form_id: number;
  revision: number;
  /** The task's status when it was read. */
  status: string;
  /** The ids of all files that the values reference. */
  fileIds: number[];
};

/**
 * Stores submissions of different tasks: all of them or none, as long as tasks, forms and files are as they were read.
 */
export async function storeSubmissions(
  db: Database,
  principal: Principal,
  submissions: TaskFormSubmission[],
  actor: Actor,
) {
  await write(
    db,
    stepsOfEach(submissions, (one) => submissionSteps(db, principal, one, actor)),
  );
}

function submissionSteps(
  db: Database,
  principal: Principal,
  { task_id, status, ...submission }: TaskFormSubmission,
  actor: Actor,
) {
  const own = mayHaveForm(principal, task_id);
  return {
    isSame: demand(hasTask(and(own, sql`${task.status} = ${status}`)), outdatedError),
    event: insertSubmittedEvent(db, own, submission),
    // Completes the task at the time of the submission, which a phone may have sent later. Only an arrived task waits
    // for nothing but its form.
    completed:
      status === "arrived" ? completeIfReady(db, { ...actor, action_date: submission.submitted }, own) : undefined,
    ...submitForm(db, principal, submission),
    recorded: recordChange(
      db,
      actor,
      { is: ["task_form", "submit"], entry_id: task_id, payload: { form_id: submission.form_id } },
      sql`TRUE`,
    ),
  };
}

type SubmissionEvent = Pick<TaskFormSubmission, "form_id" | "revision" | "submitted" | "submit_location">;

/** Stores the event of a submission, unless the task has no tracker: events belong to trackers. */
function insertSubmittedEvent(
  db: Database,
  own: SQL | undefined,
  { form_id, revision, submitted, submit_location }: SubmissionEvent,
) {
  const event_id = `form-${form_id}-${revision}`;
  const { address = "", ...location } = submit_location ?? {};
  const place = submit_location
    ? sql`, 'location', json(${JSON.stringify(location)}), 'address', ${address}`
    : sql.empty();
  return db.insert(eventOutbox).select(
    sql`SELECT ${event_id}, ${task.account_id}, json_object('event_id', ${event_id}, 'account_id', ${task.account_id},
        'tracker_id', ${task.tracker_id}, 'event', 'task_form_submitted', 'time', CAST(${submitted} AS INTEGER),
        'message', ${task.label}, 'extra', ${EVENT_EXTRA}${place})
      FROM ${task} WHERE ${and(own, sql`${task.tracker_id} IS NOT NULL`)}`,
  );
}
