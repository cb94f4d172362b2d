import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { demand } from "#shared/database/steps.ts";
import { form } from "../table/form/form.ts";
import { formTemplate } from "../table/form/form-template.ts";
import { task } from "../table/task/task.ts";

type TemplateOwner = Pick<Principal, "account_id">;

/** Demands that the account has all of these templates. Undefined without ids: there is nothing to demand. */
export function demandTemplates({ account_id }: TemplateOwner, ids: (number | null | undefined)[], error: () => Error) {
  const wanted = [...new Set(ids.flatMap((id) => id ?? []))];
  if (wanted.length === 0) return undefined;
  const found = sql`(SELECT count(*) FROM ${formTemplate} WHERE ${and(eq(formTemplate.account_id, account_id), among(formTemplate.id, wanted))})`;
  return demand(sql`${found} = ${wanted.length}`, error);
}

/**
 * Issues a form for each `request.value`, which holds a template_id and either a task_id or the tracker_id of a
 * check-in to come. Runs after `demandTemplates`; the new ids follow the order of the requests.
 */
export function issueForms(db: Database, { account_id }: TemplateOwner, requests: SQL, now: number) {
  const source = sql`${requests} CROSS JOIN ${formTemplate} AS template
    ON template.id = request.value ->> 'template_id' AND template.account_id = ${account_id} WHERE TRUE ORDER BY request.key`;
  return issueFromSource(
    db,
    source,
    { task_id: sql`request.value ->> 'task_id'`, tracker_id: sql`request.value ->> 'tracker_id'` },
    now,
  );
}

/** Issues a form for a task that has none. Runs after `demandTemplates`. */
function issueForm(db: Database, { account_id }: TemplateOwner, template_id: number, task_id: SQL, now: number) {
  const source = sql`${formTemplate} AS template WHERE template.account_id = ${account_id} AND template.id = ${template_id}`;
  return issueFromSource(db, source, { task_id, tracker_id: sql`NULL` }, now);
}

/** The template of the form that a task is to have: null for no form, undefined to leave its form as it is. */
export type TemplateChoice = number | null | undefined;

/** Replaces the form of the task by a new one, removes it, or leaves it, as chosen. Runs after `demandTemplates`. */
export function replaceForm(db: Database, owner: TemplateOwner, task_id: SQL, template: TemplateChoice, now: number) {
  if (template === undefined) return [];
  const removed = db.delete(form).where(and(eq(form.account_id, owner.account_id), sql`${form.task_id} = ${task_id}`));
  return template === null ? [removed] : [removed, issueForm(db, owner, template, task_id, now)];
}

/** Replaces the forms of a route's checkpoints; `templates` are in the order of the checkpoints. */
export function replaceForms(
  db: Database,
  { account_id }: TemplateOwner,
  route: SQL,
  templates: TemplateChoice[],
  now: number,
) {
  const wanted = templates.flatMap((template_id, order) => (template_id === undefined ? [] : [{ order, template_id }]));
  if (wanted.length === 0) return [];
  const stops = sql`json_each(${JSON.stringify(wanted)}) AS request CROSS JOIN ${task} AS stop
    ON stop.account_id = ${account_id} AND stop.parent_id = ${route} AND stop."order" = request.value ->> 'order'`;
  const source = sql`${stops} JOIN ${formTemplate} AS template
    ON template.id = request.value ->> 'template_id' AND template.account_id = stop.account_id WHERE TRUE`;
  return [
    db.delete(form).where(and(eq(form.account_id, account_id), sql`${form.task_id} IN (SELECT stop.id FROM ${stops})`)),
    issueFromSource(db, source, { task_id: sql`stop.id`, tracker_id: sql`NULL` }, now),
  ];
}

type FormOwner = { task_id: SQL; tracker_id: SQL };

/**
 * Issues a form for each row of the source, which must name the template's table `template`. A task that has a form
 * keeps it.
 */
export function issueFromSource(db: Database, source: SQL, { task_id, tracker_id }: FormOwner, now: number) {
  const own: Partial<Record<string, SQL>> = {
    account_id: sql`template.account_id`,
    revision: sql`0`,
    task_id,
    tracker_id,
    template_id: sql`template.id`,
    template_version: sql`template.version`,
    label: sql`template.label`,
    description: sql`coalesce(template.description, '')`,
    fields: sql`template.fields`,
    submit_in_zone: sql`template.submit_in_zone`,
    created: sql`${now}`,
    bytes: sql`octet_length(template.fields)`,
    label_folded: sql`template.label_folded`,
    description_folded: sql`template.description_folded`,
  };
  const values = Object.keys(getTableColumns(form)).map((name) => own[name] ?? sql`NULL`);
  return db
    .insert(form)
    .select(sql`SELECT ${sql.join(values, sql`, `)} FROM ${source}`)
    .onConflictDoNothing();
}
