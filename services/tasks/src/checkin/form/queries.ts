import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { demandTemplates, issueForms } from "../../form/issue-queries.ts";
import { formColumns, selectFilesOfForms } from "../../form/queries.ts";
import { demandTrackers } from "../../links/tracker-queries.ts";
import { recordEachChange } from "../../outbox/audit.ts";
import { file } from "../../table/file.ts";
import { form } from "../../table/form/form.ts";

type FormRequest = { tracker_id: number; template_id: number };

/** Stores forms for check-ins to come, all of them or none; answers their ids in the order of the requests. */
export async function insertForms(db: Database, principal: Principal, requests: FormRequest[], actor: Actor) {
  const { account_id, limits } = principal;
  const templates = requests.map(({ template_id }) => template_id);
  const issued = sql`(SELECT count(*) FROM ${form} WHERE ${and(eq(form.account_id, account_id), isNull(form.task_id))})`;
  const trackers = requests.map(({ tracker_id }) => tracker_id);
  const requestRows = sql`json_each(${JSON.stringify(requests)}) AS request`;
  // Runs after the insert: ids given out in one transaction are consecutive.
  const entries = sql`SELECT ${form.id} AS id, json_object('tracker_id', ${form.tracker_id}, 'template_id', ${form.template_id}) AS payload
    FROM ${form} WHERE ${form.id} > (SELECT max(id) FROM ${form}) - ${requests.length}`;
  const { last } = await write(db, {
    haveTrackers: demandTrackers(trackers, 201),
    haveTemplates: demandTemplates(principal, templates, () => new ApiError(201)),
    hasRoom: demand(sql`${issued} + ${requests.length} <= ${limits.checkins}`, () => new ApiError(268)),
    issued: issueForms(db, principal, requestRows, actor.action_date),
    recorded: recordEachChange(db, actor, { is: ["checkin_form", "create"] }, entries),
    last: db.select({ id: sql<number>`max(id)` }).from(form),
  });
  const first = onlyRow(last).id - requests.length + 1;
  return requests.map((_, key) => first + key);
}

/** The form with its files; undefined when a check-in has used it, or when the caller does not see its tracker. */
export async function readUnusedForm(db: Database, principal: Principal, form_id: number) {
  const { forms, files } = await read(db, selectUnusedForms(db, principal, [form_id]));
  const [form] = forms;
  return form && { form, files };
}
export type UnusedForm = NonNullable<Awaited<ReturnType<typeof readUnusedForm>>>;

/** Steps of a reading batch: the forms among `form_ids` that no check-in has used, and their files. */
export function selectUnusedForms(db: Database, principal: Principal, form_ids: number[]) {
  const { id, tracker_id, fields, values, revision } = form;
  return {
    forms: db
      .select({ id, tracker_id, fields, values, revision })
      .from(form)
      .where(isOfCheckin(principal, and(among(form.id, form_ids), isNull(form.checkin_id)))),
    files: selectFilesOfForms(db, principal, among(file.form_id, form_ids)),
  };
}

type FormReference = { checkin_id: number | null; form_id: number | null };

/** The form with this id, or the form of this check-in. */
export async function requireForm(db: Database, principal: Principal, { checkin_id, form_id }: FormReference) {
  const isNamed = form_id === null ? eq(form.checkin_id, checkin_id ?? 0) : eq(form.id, form_id);
  const [found] = await db.select(formColumns).from(form).where(isOfCheckin(principal, isNamed));
  if (!found) throw new ApiError(201);
  return found;
}

/**
 * True for forms of check-ins, made or still to be made, on trackers that the caller sees; false for forms of tasks.
 */
function isOfCheckin(principal: Principal, condition: SQL | undefined) {
  return visibleTo(principal, form, isNull(form.task_id), isNotNull(form.tracker_id), condition);
}
