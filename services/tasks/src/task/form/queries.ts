import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { demandTemplates, issueForms } from "../../form/issue-queries.ts";
import { formColumns, selectFilesOfForms } from "../../form/queries.ts";
import { recordChange, recordEachChange } from "../../outbox/audit.ts";
import { form } from "../../table/form/form.ts";
import { task } from "../../table/task/task.ts";
import { completeIfReady } from "../completion-queries.ts";
import { isFormOfTask } from "../list-queries.ts";
import { hasTask } from "../queries.ts";

type Attachment = { task_id: number; template_id: number };

/** Issues forms for open tasks that have none: for all of the tasks, or for none. */
export async function attachForms(db: Database, principal: Principal, attachments: Attachment[], actor: Actor) {
  const ids = attachments.map(({ task_id }) => task_id);
  const own = visibleTo(principal, task, among(task.id, ids), ne(task.type, "route"));
  const areAll = (condition: SQL | undefined) =>
    sql`(SELECT count(*) FROM ${task} WHERE ${condition}) = ${attachments.length}`;
  const requests = sql`json_each(${JSON.stringify(attachments)}) AS request`;
  const templates = attachments.map(({ template_id }) => template_id);
  await write(db, {
    areThere: demand(areAll(own), () => new ApiError(201)),
    haveTemplates: demandTemplates(principal, templates, () => new ApiError(201)),
    areOpen: demand(areAll(and(own, isUnfinished)), () => new ApiError(255)),
    issued: issueForms(db, principal, requests, actor.action_date),
    areIssued: demand(sql`changes() = ${attachments.length}`, () => new ApiError(247)),
    recorded: recordEachChange(
      db,
      actor,
      { is: ["task_form", "create"] },
      sql`SELECT request.value ->> 'task_id' AS id, json_object('template_id', request.value ->> 'template_id') AS payload FROM ${requests}`,
    ),
  });
}

/** Deletes the form of a task with its values and files. */
export async function detachForm(db: Database, principal: Principal, task_id: number, actor: Actor) {
  const own = mayHaveForm(principal, task_id);
  const ofThis = and(eq(form.account_id, principal.account_id), eq(form.task_id, task_id));
  await write(db, {
    isThere: demand(hasTask(and(own, isThere(form, ofThis))), () => new ApiError(201)),
    isOpen: demand(hasTask(and(own, isUnfinished)), () => new ApiError(255)),
    removed: db.delete(form).where(ofThis),
    recorded: recordChange(db, actor, { is: ["task_form", "delete"], entry_id: task_id }),
    // The form may have been the last thing that the task waited for.
    completed: completeIfReady(db, actor, own),
  });
}

/** The task with its form, null if it has none, and the form's files. */
export async function requireTaskForm(db: Database, principal: Principal, task_id: number) {
  const [found] = await requireTaskForms(db, principal, [task_id]);
  if (!found) throw new ApiError(201);
  return found;
}
export type TaskForm = Awaited<ReturnType<typeof requireTaskForm>>;

/** Tasks with their forms and files, in the order of the ids. Throws 201 if one task is not visible. */
export async function requireTaskForms(db: Database, principal: Principal, task_ids: number[]) {
  const own = visibleTo(principal, task, among(task.id, task_ids), ne(task.type, "route"));
  const ofThese = sql`form_id IN (SELECT ${form.id} FROM ${form} JOIN ${task} ON ${isFormOfTask} WHERE ${own})`;
  const found = await read(db, {
    rows: db
      .select({ task, form: formColumns, form_revision: form.revision, submit_areas: form.submit_areas })
      .from(task)
      .leftJoin(form, isFormOfTask)
      .where(own),
    files: selectFilesOfForms(db, principal, ofThese),
  });
  const rows = new Map(found.rows.map((row) => [row.task.id, row]));
  const files = Map.groupBy(found.files, ({ form_id }) => form_id);
  return task_ids.map((id) => {
    const row = rows.get(id);
    if (!row) throw new ApiError(201);
    return { ...row, files: (row.form && files.get(row.form.id)) ?? [] };
  });
}

/** True for the visible task or checkpoint with this id; a route has no form. */
export function mayHaveForm(principal: Principal, task_id: number) {
  return visibleTo(principal, task, eq(task.id, task_id), ne(task.type, "route"));
}

const isUnfinished = inArray(task.status, ["unassigned", "assigned", "arrived"]);
