import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { task } from "../../table/task/task.ts";
import { type OPERATIONS, taskHistory } from "../../table/task/task-history.ts";
import { tagsOf } from "../../tag-binding/queries.ts";

/** The user who makes a change, and when in UTC milliseconds. Without a user, a sweep or a visit makes it. */
export type ChangeAuthor = { user_id?: number; action_date: number };

/**
 * A step that stores an entry for each task that matches the condition, unless its payload is empty. It runs after the
 * insert of a new task, but before other changes.
 */
export function insertHistory(
  db: Database,
  { user_id, action_date }: ChangeAuthor,
  operation: (typeof OPERATIONS)[number],
  payload: SQL,
  condition: SQL | undefined,
  from: SQL = sql`${task}`,
) {
  const user = user_id === undefined ? task.account_id : sql`${user_id}`;
  return db.insert(taskHistory).select(
    sql`SELECT NULL, account_id, task_id, user_id, ${action_date}, ${operation}, payload, NULL FROM
      (SELECT ${task.account_id} AS account_id, ${task.id} AS task_id, ${user} AS user_id, ${payload} AS payload
        FROM ${from} WHERE ${condition} ORDER BY ${task.id}) WHERE payload <> '{}'`,
  );
}

/** True for tasks that the transaction has just made: all others have an entry of their creation. */
export const isNewToHistory = sql`NOT EXISTS (SELECT 1 FROM ${taskHistory}
  WHERE ${taskHistory.account_id} = ${task.account_id} AND ${taskHistory.task_id} = ${task.id})`;

/** The payload of a creation: all members of the task that callers see. */
export function selectCreationPayload(): SQL {
  const { account_id, revision, location, lat, lng, deadline, schedule_id, schedule_date, ...columns } =
    getTableColumns(task);
  const plain = Object.entries(columns).filter(([name]) => !name.endsWith("_folded"));
  const pairs = plain.map(([name, column]) => sql`${sql.raw(`'${name}'`)}, ${column}`);
  return sql`json_object('user_id', ${account_id}, 'location', json(${location}),
    'tags', json(${tagsOf("task", task.id)}), ${sql.join(pairs, sql`, `)})`;
}

/** The payload of an update: the members whose value differs from the stored one. Undefined members are left out. */
export function selectChangedMembers(members: Record<string, unknown>): SQL {
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  return selectChangesIn(sql`${JSON.stringify(members)}`, names);
}

/** The payload of an update whose members are a JSON expression with these names. */
export function selectChangesIn(members: SQL, names: string[]): SQL {
  const columns: Record<string, unknown> = getTableColumns(task);
  const plain = names.filter((name) => name !== "location" && name in columns);
  const pairs = plain.map((name) => sql`${sql.raw(`'${name}'`)}, ${columns[name]}`);
  const before = sql`json_object('location', json(${task.location}), 'tags', json(${tagsOf("task", task.id)}),
    ${sql.join(pairs, sql`, `)})`;
  return sql`(SELECT json_group_object(key, json(${members} -> ('$.' || key))) FROM json_each(${members})
    WHERE ${members} -> ('$.' || key) <> ${before} -> ('$.' || key))`;
}

/** Deletes the history of deleted tasks. Runs after the statement that deletes them. */
export function deleteHistory(db: Database, account_id: number, ids: SQL) {
  return db.delete(taskHistory).where(
    sql`${eq(taskHistory.account_id, account_id)} AND ${taskHistory.task_id} IN (${ids})
      AND NOT EXISTS (SELECT 1 FROM ${task} WHERE ${task.id} = ${taskHistory.task_id})`,
  );
}
