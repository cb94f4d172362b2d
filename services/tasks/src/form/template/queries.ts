import { and, asc, count, eq, gt, ne, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { isThere, onlyRow } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, outdatedError, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type Page, pageAfter } from "#shared/operation/list-answer.ts";
import { recordChange } from "../../outbox/audit.ts";
import { form } from "../../table/form/form.ts";
import { formTemplate } from "../../table/form/form-template.ts";
import { taskSchedule } from "../../table/schedule/task-schedule.ts";
import { task } from "../../table/task/task.ts";
import { type FormTemplate, type NewFormTemplate, toColumns, toTemplate } from "./schema.ts";

export async function insertTemplate(db: Database, principal: Principal, template: NewFormTemplate, actor: Actor) {
  const { account_id } = principal;
  const moments = { created: actor.action_date, updated: actor.action_date };
  const { inserted } = await write(db, {
    quota: demandQuota(principal, "form_templates", formTemplate),
    others: template.default ? clearDefault(db, account_id) : undefined,
    inserted: db
      .insert(formTemplate)
      .values({ ...toColumns(template), ...moments, account_id, version: 1 })
      .returning({ id: formTemplate.id }),
    recorded: recordChange(db, actor, {
      is: ["form_template", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: template.label },
    }),
  });
  return onlyRow(inserted).id;
}

/** The whole row, internal columns included, for changing it. */
export async function requireTemplate(db: Database, principal: Principal, id: number) {
  const [row] = await db.select().from(formTemplate).where(isTemplate(principal, id));
  if (!row) throw new ApiError(201);
  return row;
}

type TemplateChange = { id: number; revision: number; template: NewFormTemplate };

/** Changes the template if its revision is the one that was read. Forms issued from it stay as they are. */
export async function changeTemplate(
  db: Database,
  principal: Principal,
  { id, revision, template }: TemplateChange,
  actor: Actor,
) {
  const own = isTemplate(principal, id);
  await write(db, {
    isCurrent: demand(isThere(formTemplate, and(own, eq(formTemplate.revision, revision))), outdatedError),
    others: template.default ? clearDefault(db, principal.account_id, id) : undefined,
    updated: db
      .update(formTemplate)
      .set({ ...toColumns(template), version: sql`version + 1`, updated: actor.action_date })
      .where(own),
    recorded: recordChange(db, actor, {
      is: ["form_template", "update"],
      entry_id: id,
      payload: { label: template.label },
    }),
  });
}

export async function removeTemplate(db: Database, principal: Principal, id: number, actor: Actor) {
  await write(db, {
    removed: db.delete(formTemplate).where(isTemplate(principal, id)),
    isRemoved: demandChange(() => new ApiError(201)),
    recorded: recordChange(db, actor, { is: ["form_template", "delete"], entry_id: id }),
  });
}

/** All templates by id, page after page. */
export async function selectTemplates(db: Database, principal: Principal, after = 0): Promise<Page<FormTemplate>> {
  const rows = await db
    .select()
    .from(formTemplate)
    .where(visibleTo(principal, formTemplate, gt(formTemplate.id, after)))
    .orderBy(asc(formTemplate.id))
    .limit(MAX_ROWS_PER_PAGE);
  const next = (last: number) => selectTemplates(db, principal, last);
  return pageAfter(rows, { size: MAX_ROWS_PER_PAGE, toItem: toTemplate, next });
}

/** Counts the visible tasks with a form of the template, by status, and the schedules that use the template. */
export async function countUses(db: Database, principal: Principal, id: number) {
  const { tasks, schedules } = await read(db, {
    isThere: demand(isThere(formTemplate, isTemplate(principal, id)), () => new ApiError(201)),
    tasks: db
      .select({ status: task.status, count: count() })
      .from(form)
      .innerJoin(task, and(eq(task.id, form.task_id), visibleTo(principal, task)))
      .where(and(eq(form.account_id, principal.account_id), eq(form.template_id, id)))
      .groupBy(task.status),
    schedules: db
      .select({ count: count() })
      .from(taskSchedule)
      .where(visibleTo(principal, taskSchedule, eq(taskSchedule.form_template_id, id))),
  });
  return { tasks, scheduled: onlyRow(schedules).count };
}

function isTemplate(principal: Principal, id: number) {
  return visibleTo(principal, formTemplate, eq(formTemplate.id, id));
}

/** Runs before another template becomes the default. The version stays: to callers, nothing of the template changed. */
function clearDefault(db: Database, account_id: number, but = 0) {
  return db
    .update(formTemplate)
    .set({ default: false })
    .where(and(eq(formTemplate.account_id, account_id), eq(formTemplate.default, true), ne(formTemplate.id, but)));
}

/** Bounds a page to about 5 MB of answer. */
const MAX_ROWS_PER_PAGE = 30;
