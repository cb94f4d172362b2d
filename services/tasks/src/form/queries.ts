import { and, eq, getTableColumns, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, outdatedError, read } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { file } from "../table/file.ts";
import { form } from "../table/form/form.ts";
import { formTemplate } from "../table/form/form-template.ts";
import { task } from "../table/task/task.ts";
import { type Submission, toSubmissionColumns } from "./schema.ts";
import type { FormFileState } from "./values.ts";

const {
  account_id,
  revision,
  bytes,
  submit_areas,
  label_folded,
  description_folded,
  submit_address_folded,
  ...plainColumns
} = getTableColumns(form);
/** The columns of a form that callers see. A task's form has the tracker of its task. */
export const formColumns = {
  ...plainColumns,
  tracker_id: sql<
    number | null
  >`coalesce(${form.tracker_id}, (SELECT tracker_id FROM ${task} AS own WHERE own.id = "form"."task_id"))`,
  template_id: sql<
    number | null
  >`(SELECT template.id FROM ${formTemplate} AS template WHERE template.id = "form"."template_id")`,
};

/**
 * True for forms of tasks that the caller sees, and for forms of check-ins, made or to come, on trackers that it sees.
 */
export function isVisibleForm(principal: Principal, ...conditions: (SQL | undefined)[]) {
  const isOfTask = sql`EXISTS (SELECT 1 FROM ${task} WHERE ${visibleTo(principal, task, sql`${task.id} = "form"."task_id"`)})`;
  return visibleTo(principal, form, or(isNull(form.task_id), isOfTask), ...conditions);
}

/** The form of a task or check-in, with the files that tickets were issued for. */
export async function requireForm(db: Database, principal: Principal, id: number) {
  const { forms, files } = await read(db, {
    forms: db
      .select(formColumns)
      .from(form)
      .where(isVisibleForm(principal, eq(form.id, id))),
    files: selectFilesOfForms(db, principal, eq(file.form_id, id)),
  });
  const [found] = forms;
  if (!found) throw new ApiError(201);
  return { form: found, files };
}

/**
 * A step of a reading batch: submitted files of forms, and those that the caller has uploaded or got a ticket for. Until
 * a submission names a file, it belongs to its uploader.
 */
export function selectFilesOfForms(db: Database, { account_id, user_id }: Principal, isWanted: SQL) {
  const isSubmitted = sql`(${file.state} = 'uploaded' AND ${file.expires} IS NULL)`;
  return db
    .select({
      id: file.id,
      form_id: sql<number>`${file.form_id}`,
      field_id: sql<string>`${file.field_id}`,
      name: file.name,
      size: file.size,
      mime_type: file.mime_type,
      is_uploaded: sql<boolean>`${file.state} = 'uploaded'`.mapWith(Boolean),
      is_submitted: sql<boolean>`${isSubmitted}`.mapWith(Boolean),
    })
    .from(file)
    .where(
      and(
        isWanted,
        eq(file.account_id, account_id),
        inArray(file.state, ["created", "uploaded"]),
        or(eq(file.user_id, user_id), isSubmitted),
      ),
    )
    .orderBy(file.id);
}
export type FormFileRow = Awaited<ReturnType<typeof selectFilesOfForms>>[number];

/** The files that values may reference, by id. */
export function toFilesById(rows: FormFileRow[]): Map<number, FormFileState> {
  return new Map(
    rows.map(({ id, field_id, is_uploaded, name, size, mime_type }) => {
      const isKnown = name !== null && size !== null && mime_type !== null;
      return [id, { field_id, is_uploaded, content: isKnown ? { name, size, mime_type } : undefined }];
    }),
  );
}

type FormSubmission = Submission & {
  form_id: number;
  revision: number;
  fileIds: number[];
  /** The id of the check-in that the form is submitted with. */
  checkin_id?: SQL;
};

/**
 * Steps that store a submission, as long as the form and its files are as they were read. Uploaded files of the form
 * that the submission does not reference are claimed for removal, so that no caller sees them from the answer on.
 */
export function submitForm(
  db: Database,
  { account_id }: Pick<Principal, "account_id">,
  { form_id, revision, fileIds, checkin_id, ...submission }: FormSubmission,
) {
  const own = and(eq(form.account_id, account_id), eq(form.id, form_id));
  const ofForm = and(eq(file.form_id, form_id), eq(file.account_id, account_id), eq(file.state, "uploaded"));
  const usable = sql`(SELECT count(*) FROM ${file} WHERE ${and(ofForm, among(file.id, fileIds))})`;
  return {
    isCurrent: demand(
      and(isThere(form, and(own, eq(form.revision, revision))), sql`${usable} = ${fileIds.length}`),
      outdatedError,
    ),
    submitted: db
      .update(form)
      .set({
        ...toSubmissionColumns(submission),
        ...(checkin_id && { checkin_id }),
        bytes: sql`octet_length(${form.fields}) + ${bytesOf(submission.values) + bytesOf(submission.submit_areas)}`,
      })
      .where(own),
    kept: db
      .update(file)
      .set({
        expires: sql`iif(${among(file.id, fileIds)}, NULL, 0)`,
        state: sql`iif(${among(file.id, fileIds)}, 'uploaded', 'removing')`,
      })
      .where(ofForm),
  };
}

function bytesOf(stored: object | null) {
  return stored ? Buffer.byteLength(JSON.stringify(stored)) : 0;
}
