import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { only } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { demandTemplates, issueForm } from "../../form/issue-queries.ts";
import { filesOfForms, shownForm } from "../../form/queries.ts";
import { demandTracker } from "../../links/tracker-queries.ts";
import { recording } from "../../outbox/audit.ts";
import { file } from "../../table/file.ts";
import { form } from "../../table/form.ts";

type NewForm = { tracker_id: number; template_id: number };

/** A form for a check-in to be. */
export async function insertForm(
  db: Database,
  principal: Principal,
  { tracker_id, template_id }: NewForm,
  actor: Actor,
) {
  const { account_id, limits } = principal;
  const issued = sql`(SELECT count(*) FROM ${form} WHERE ${and(eq(form.account_id, account_id), isNull(form.task_id))})`;
  const { made } = await write(db, {
    hasTracker: demandTracker(tracker_id, 201),
    hasTemplate: demandTemplates(principal, [template_id], () => new ApiError(201)),
    hasRoom: demand(sql`${issued} < ${limits.checkins}`, () => new ApiError(268)),
    issued: issueForm(db, principal, { template_id, tracker_id }, actor.action_date),
    recorded: recording(db, actor, {
      is: ["checkin_form", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { tracker_id, template_id },
    }),
    made: db.select({ id: sql<number>`max(id)` }).from(form),
  });
  return only(made).id;
}

/** The form that was issued for a check-in of the tracker and is not used yet, with its files. */
export async function requireUnusedForm(db: Database, principal: Principal, form_id: number, tracker_id: number) {
  const { forms, files } = await read(db, unusedForms(db, principal, [form_id]));
  const [found] = forms;
  if (!found || found.tracker_id !== tracker_id) throw new ApiError(201);
  return { form: found, files };
}

/** For a reading batch: those of the forms that no check-in has used, and their files. */
export function unusedForms(db: Database, principal: Principal, form_ids: number[]) {
  const { id, tracker_id, fields, values, revision } = form;
  return {
    forms: db
      .select({ id, tracker_id, fields, values, revision })
      .from(form)
      .where(isOfCheckin(principal, and(among(form.id, form_ids), isNull(form.checkin_id)))),
    files: filesOfForms(db, principal, among(file.form_id, form_ids)),
  };
}

type Name = { checkin_id: number | null; form_id: number | null };

/** The form by its id, or by that of its check-in. */
export async function requireForm(db: Database, principal: Principal, { checkin_id, form_id }: Name) {
  const isNamed = form_id === null ? eq(form.checkin_id, checkin_id ?? 0) : eq(form.id, form_id);
  const [found] = await db.select(shownForm).from(form).where(isOfCheckin(principal, isNamed));
  if (!found) throw new ApiError(201);
  return found;
}

/** On a tracker that the caller sees; one of a task is none. */
function isOfCheckin(principal: Principal, condition: SQL | undefined) {
  return visibleTo(principal, form, isNull(form.task_id), isNotNull(form.tracker_id), condition);
}
