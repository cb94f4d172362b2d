import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { SyncCursor } from "#shared/contract/sync.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { weighCandidates } from "#shared/database/weigh-candidates.ts";
import { formColumns } from "../../form/queries.ts";
import { form } from "../../table/form/form.ts";
import { formTemplate } from "../../table/form/form-template.ts";
import { syncChange } from "../../table/sync/sync-change.ts";
import { syncRevision } from "../../table/sync/sync-revision.ts";
import { task } from "../../table/task/task.ts";
import { formBytes, isFormOfTask, routeColumns } from "../../task/list-queries.ts";

/** The rows of a page, in the order of their keys. */
export async function selectChanges(db: Database, principal: Principal, cursor: SyncCursor) {
  const { account_id } = principal;
  const window =
    cursor.after === null ? selectChangesAfter(account_id, cursor.revision) : selectAllAfter(account_id, cursor.after);
  const found = await read(db, {
    heads: db.select().from(syncRevision).where(eq(syncRevision.account_id, account_id)),
    window: db
      .select({ kind: COLUMNS.kind, id: COLUMNS.id, tracker_id: COLUMNS.tracker_id, key: COLUMNS.key })
      .from(sql`(${window}) AS changed`)
      .orderBy(COLUMNS.key),
    tasks: selectTasksIn(db, principal, window),
    templates: db
      .select({ key: sql<number>`picked.key`, template: formTemplate })
      .from(selectPicked("form_template", window))
      .innerJoin(formTemplate, visibleTo(principal, formTemplate, sql`${formTemplate.id} = picked.id`))
      .orderBy(sql`picked.key`)
      .limit(MAX_TEMPLATES_PER_PAGE + 1),
  });
  const { revision = 0, forgotten = 0 } = found.heads[0] ?? {};
  return { ...found, revision, forgotten };
}
export type Changes = Awaited<ReturnType<typeof selectChanges>>;

/** The visible tasks of the window, as many as an answer may hold by their bytes. */
function selectTasksIn(db: Database, principal: Principal, window: SQL) {
  const candidates = sql`SELECT ${task.id}, ${task.account_id}, picked.key AS total FROM ${selectPicked("task", window)}
    JOIN ${task} ON ${visibleTo(principal, task, sql`${task.id} = picked.id`)} ORDER BY picked.key`;
  const weighed = weighCandidates(candidates, formBytes);
  return db
    .select({ row: routeColumns, form: formColumns, key: sql<number>`weighed.total`, candidates: weighed.candidates })
    .from(weighed.table)
    .innerJoin(task, eq(task.id, weighed.id))
    .leftJoin(form, isFormOfTask)
    .where(weighed.fits)
    .orderBy(weighed.ordinal);
}

/** The items of this kind in the window, each with its last key. */
function selectPicked(kind: string, window: SQL) {
  return sql`(SELECT changed.id, max(changed.key) AS key FROM (${window}) AS changed WHERE changed.kind = ${kind} GROUP BY changed.id) AS picked`;
}

/** The next changes of the account, without regard to who sees them. */
function selectChangesAfter(account_id: number, revision: number) {
  return sql`SELECT kind, id, tracker_id, revision AS key FROM ${syncChange}
    WHERE ${and(eq(syncChange.account_id, account_id), gt(syncChange.revision, revision))}
    ORDER BY ${syncChange.revision} LIMIT ${MAX_CHANGES_PER_PAGE}`;
}

/** The next items of the account, kind by kind and by id; the key encodes both. */
function selectAllAfter(account_id: number, after: number) {
  const templates = sql`SELECT * FROM (SELECT 'form_template' AS kind, id, 0 AS tracker_id, id AS key FROM ${formTemplate}
    WHERE ${and(eq(formTemplate.account_id, account_id), gt(formTemplate.id, after))} ORDER BY id LIMIT ${MAX_CHANGES_PER_PAGE})`;
  const tasks = ["task", "route", "checkpoint"].map((type, index) => {
    const first = (index + 1) * IDS_PER_KIND;
    return sql`SELECT * FROM (SELECT 'task' AS kind, id, coalesce(tracker_id, 0) AS tracker_id, ${first} + id AS key FROM ${task}
      WHERE ${and(eq(task.account_id, account_id), sql`${task.type} = ${type}`, gt(task.id, after - first))} ORDER BY id LIMIT ${MAX_CHANGES_PER_PAGE})`;
  });
  return sql`SELECT * FROM (${sql.join([templates, ...tasks], sql` UNION ALL `)}) ORDER BY key LIMIT ${MAX_CHANGES_PER_PAGE}`;
}

const COLUMNS = {
  kind: sql<"task" | "form_template">`changed.kind`,
  id: sql<number>`changed.id`,
  tracker_id: sql<number>`changed.tracker_id`,
  key: sql<number>`changed.key`,
};
/** More ids than any table has. */
const IDS_PER_KIND = 1e13;
/** Limits the changes that one page examines, visible to the caller or not. */
export const MAX_CHANGES_PER_PAGE = 500;
/** Bounds a page to about 3 MB of answer. */
export const MAX_TEMPLATES_PER_PAGE = 20;
