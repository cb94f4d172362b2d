import { type SQL, sql } from "drizzle-orm";
import { task } from "../table/task/task.ts";

/** The query for the payload of a task's audit entry. By `tracker_id` sub-users see the event of the change. */
export function selectPayload(own: SQL | undefined): SQL {
  return sql`SELECT ${PAYLOAD} FROM ${task} WHERE ${own}`;
}

/** The query for the audit entries of tasks that are about to be deleted. */
export function selectEntries(own: SQL | undefined): SQL {
  return sql`SELECT ${task.id} AS id, ${PAYLOAD} AS payload FROM ${task} WHERE ${own}`;
}

const PAYLOAD = sql`json_object('label', ${task.label}, 'tracker_id', ${task.tracker_id})`;
