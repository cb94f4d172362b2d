import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { KeptFile, WorkFileOwner } from "#shared/contract/file/file-ticket.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { ticketFilesIn } from "#shared/ticket-file/queries.ts";
import { recordChange } from "../outbox/audit.ts";
import { file } from "../table/file.ts";
import { form } from "../table/form/form.ts";

type NewFile = KeptFile & { owner: WorkFileOwner; size: number; field?: FormFieldRef };
/** The form field that a file is uploaded for. `now` decides which other files of the field still wait. */
export type FormFieldRef = { form_id: number; field_id: string; now: number };

/** Stores the ticket of a file. The file expires at `kept_until` unless a check-in or a form references it by then. */
export async function insertFile(
  db: Database,
  { account_id, user_id }: Principal,
  { id, kept_until, owner, size, field }: NewFile,
  actor: Actor,
) {
  const { form_id = null, field_id = null } = field ?? {};
  const row = { id, account_id, user_id, owner, state: "created" as const, expires: kept_until, form_id, field_id };
  await write(db, {
    ...(field && demandFieldQuota(account_id, field)),
    file: db.insert(file).values(row),
    record: recordChange(db, actor, { is: [owner, "create"], entry_id: id, payload: { size } }),
  });
}

/** Demands that the form exists, and that few files of the field wait for a submission that references them. */
function demandFieldQuota(account_id: number, { form_id, field_id, now }: FormFieldRef) {
  const isForm = and(eq(form.account_id, account_id), eq(form.id, form_id));
  const waiting = sql`(SELECT count(*) FROM ${file} WHERE ${and(eq(file.form_id, form_id), eq(file.field_id, field_id))}
    AND ${file.state} <> 'removing' AND ${file.expires} > ${now})`;
  return {
    isForm: demand(isThere(form, isForm), () => new ApiError(201)),
    hasRoom: demand(sql`${waiting} < ${MAX_WAITING_FILES_PER_FIELD}`, () => new ApiError(267)),
  };
}

export const { markUploaded, selectUnreferenced, releaseFiles, claimExpired, removeExpired } = ticketFilesIn(file, [
  "name",
  "size",
  "mime_type",
]);

/** Files of one field that no submission references yet. */
const MAX_WAITING_FILES_PER_FIELD = 6;
