import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { demandTemplates, issueEach } from "../../form/issue-queries.ts";
import { filesOfForms, shownForm } from "../../form/queries.ts";
import { recording, recordingEach } from "../../outbox/audit.ts";
import { form } from "../../table/form.ts";
import { task } from "../../table/task.ts";
import { completeReady } from "../completion-queries.ts";
import { ofTask } from "../list-queries.ts";
import { hasTask } from "../queries.ts";

type Attachment = { task_id: number; template_id: number };

/** Issues forms of templates for different tasks that have none and may still be worked on: all of them, or none. */
export async function attachForms(db: Database, principal: Principal, given: Attachment[], actor: Actor) {
  const ids = given.map(({ task_id }) => task_id);
  const own = visibleTo(principal, task, among(task.id, ids), ne(task.type, "route"));
  const areAll = (condition: SQL | undefined) =>
    sql`(SELECT count(*) FROM ${task} WHERE ${condition}) = ${given.length}`;
  const wishes = sql`json_each(${JSON.stringify(given)}) AS wish`;
  const templates = given.map(({ template_id }) => template_id);
  await write(db, {
    areThere: demand(areAll(own), () => new ApiError(201)),
    haveTemplates: demandTemplates(principal, templates, () => new ApiError(201)),
    areOpen: demand(areAll(and(own, isUnfinished)), () => new ApiError(255)),
    issued: issueEach(db, principal, wishes, actor.action_date),
    areIssued: demand(sql`changes() = ${given.length}`, () => new ApiError(247)),
    recorded: recordingEach(
      db,
      actor,
      { is: ["task_form", "create"] },
      sql`SELECT wish.value ->> 'task_id' AS id, json_object('template_id', wish.value ->> 'template_id') AS payload FROM ${wishes}`,
    ),
  });
}

/** With all that was filled in, and its files. */
export async function detachForm(db: Database, principal: Principal, task_id: number, actor: Actor) {
  const own = isFormable(principal, task_id);
  const ofThis = and(eq(form.account_id, principal.account_id), eq(form.task_id, task_id));
  await write(db, {
    isThere: demand(hasTask(and(own, isThere(form, ofThis))), () => new ApiError(201)),
    isOpen: demand(hasTask(and(own, isUnfinished)), () => new ApiError(255)),
    removed: db.delete(form).where(ofThis),
    recorded: recording(db, actor, { is: ["task_form", "delete"], entry_id: task_id }),
    // It may have been all that the task waited for.
    completed: completeReady(db, actor, own),
  });
}

/** The task with its form, if it has one, and what files were asked for with that. */
export async function requireTaskForm(db: Database, principal: Principal, task_id: number) {
  const [found] = await requireTaskForms(db, principal, [task_id]);
  if (!found) throw new ApiError(201);
  return found;
}
export type TaskForm = Awaited<ReturnType<typeof requireTaskForm>>;

/** The same of tasks in their order: all of them, or 201. */
export async function requireTaskForms(db: Database, principal: Principal, task_ids: number[]) {
  const own = visibleTo(principal, task, among(task.id, task_ids), ne(task.type, "route"));
  const ofThese = sql`form_id IN (SELECT ${form.id} FROM ${form} JOIN ${task} ON ${ofTask} WHERE ${own})`;
  const found = await read(db, {
    rows: db
      .select({ task, form: shownForm, form_revision: form.revision, submit_areas: form.submit_areas })
      .from(task)
      .leftJoin(form, ofTask)
      .where(own),
    files: filesOfForms(db, principal, ofThese),
  });
  const rows = new Map(found.rows.map((row) => [row.task.id, row]));
  const files = Map.groupBy(found.files, ({ form_id }) => form_id);
  return task_ids.map((id) => {
    const row = rows.get(id);
    if (!row) throw new ApiError(201);
    return { ...row, files: (row.form && files.get(row.form.id)) ?? [] };
  });
}

/** A route has no form. */
export function isFormable(principal: Principal, task_id: number) {
  return visibleTo(principal, task, eq(task.id, task_id), ne(task.type, "route"));
}

const isUnfinished = inArray(task.status, ["unassigned", "assigned", "arrived"]);
