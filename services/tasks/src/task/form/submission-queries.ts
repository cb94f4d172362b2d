import { and, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, outdatedError, stepsOfEach, write } from "#shared/database/steps.ts";
import { submitForm } from "../../form/queries.ts";
import type { Submission } from "../../form/schema.ts";
import { recording } from "../../outbox/audit.ts";
import { eventOutbox } from "../../table/event-outbox.ts";
import { task } from "../../table/task.ts";
import { completeReady, EXTRA } from "../completion-queries.ts";
import { hasTask } from "../queries.ts";
import { isFormable } from "./queries.ts";

export type Submitting = Submission & {
  task_id: number;
  form_id: number;
  revision: number;
  /** As it was read. */
  status: string;
  /** The ids of all files that the values name. */
  named: number[];
};

/** All of them, of different tasks, as long as task, form and files are as they were read. */
export async function storeSubmissions(db: Database, principal: Principal, given: Submitting[], actor: Actor) {
  await write(
    db,
    stepsOfEach(given, (one) => storing(db, principal, one, actor)),
  );
}

function storing(db: Database, principal: Principal, { task_id, status, ...submitting }: Submitting, actor: Actor) {
  const own = isFormable(principal, task_id);
  return {
    isSame: demand(hasTask(and(own, sql`${task.status} = ${status}`)), outdatedError),
    event: tellSubmitted(db, own, submitting),
    // By when it was submitted, which may be a while before it came. Nothing else is waiting for its form alone.
    completed:
      status === "arrived" ? completeReady(db, { ...actor, action_date: submitting.submitted }, own) : undefined,
    ...submitForm(db, principal, submitting),
    recorded: recording(
      db,
      actor,
      { is: ["task_form", "submit"], entry_id: task_id, payload: { form_id: submitting.form_id } },
      sql`TRUE`,
    ),
  };
}

type Event = Pick<Submitting, "form_id" | "revision" | "submitted" | "submit_location">;

/** Nobody is told of a task without a tracker: events are those of trackers. */
function tellSubmitted(db: Database, own: SQL | undefined, { form_id, revision, submitted, submit_location }: Event) {
  const event_id = `form-${form_id}-${revision}`;
  const { address = "", ...location } = submit_location ?? {};
  const place = submit_location
    ? sql`, 'location', json(${JSON.stringify(location)}), 'address', ${address}`
    : sql.empty();
  return db.insert(eventOutbox).select(
    sql`SELECT ${event_id}, ${task.account_id}, json_object('event_id', ${event_id}, 'account_id', ${task.account_id},
        'tracker_id', ${task.tracker_id}, 'event', 'task_form_submitted', 'time', CAST(${submitted} AS INTEGER),
        'message', ${task.label}, 'extra', ${EXTRA}${place})
      FROM ${task} WHERE ${and(own, sql`${task.tracker_id} IS NOT NULL`)}`,
  );
}
