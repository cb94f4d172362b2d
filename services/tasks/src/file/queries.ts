import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { KeptFile, UploadedFile, WorkFileOwner } from "#shared/contract/file/file-ticket.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recording } from "../outbox/audit.ts";
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
    record: recording(db, actor, { is: [owner, "create"], entry_id: id, payload: { size } }),
  });
}

/** Demands that the form exists, and that few files of the field wait for a submission that references them. */
function demandFieldQuota(account_id: number, { form_id, field_id, now }: FormFieldRef) {
  const isForm = and(eq(form.account_id, account_id), eq(form.id, form_id));
  const waiting = sql`(SELECT count(*) FROM ${file} WHERE ${and(eq(file.form_id, form_id), eq(file.field_id, field_id))}
    AND ${file.state} <> 'going' AND ${file.expires} > ${now})`;
  return {
    isForm: demand(isThere(form, isForm), () => new ApiError(201)),
    hasRoom: demand(sql`${waiting} < ${MAX_WAITING_FILES_PER_FIELD}`, () => new ApiError(267)),
  };
}

/** Stores that uploads have finished; answers the ids that this service knows. A repeated report changes nothing. */
export async function markUploaded(db: Database, files: UploadedFile[]): Promise<number[]> {
  const ids = files.map(({ id }) => id);
  const reported = (name: keyof UploadedFile) =>
    sql`(SELECT value ->> ${sql.raw(`'${name}'`)} FROM json_each(${JSON.stringify(files)}) WHERE value ->> 'id' = ${file.id})`;
  const { known } = await write(db, {
    update: db
      .update(file)
      .set({
        state: "uploaded",
        expires: reported("kept_until"),
        name: reported("name"),
        size: reported("size"),
        mime_type: reported("mime_type"),
      })
      .where(and(among(file.id, ids), eq(file.state, "created"))),
    known: db.select({ id: file.id }).from(file).where(among(file.id, ids)),
  });
  return known.map(({ id }) => id);
}

/** The account's uploaded files among the ids that no check-in or form references. */
export async function selectUnreferenced(db: Database, account_id: number, ids: number[]): Promise<number[]> {
  const found = await db.select({ id: file.id }).from(file).where(isUnreferenced(account_id, ids));
  return found.map(({ id }) => id);
}

/**
 * Marks the unreferenced files among the ids as going, so that nothing can reference them any more; answers their ids.
 */
export async function releaseFiles(db: Database, account_id: number, ids: number[]): Promise<number[]> {
  const released = await db
    .update(file)
    .set({ state: "going", expires: 0 })
    .where(isUnreferenced(account_id, ids))
    .returning({ id: file.id });
  return released.map(({ id }) => id);
}

/**
 * Claims files that have expired, round robin over accounts; nothing can reference them any more. Files that an earlier
 * call claimed but did not delete are claimed again.
 */
export async function claimExpired(db: Database, now: number, maxFiles: number) {
  const isWaiting = sql`expires IS NOT NULL`;
  const due = selectDueByAccount(
    { table: file, isWaiting, isDue: sql`expires <= ${now}`, order: sql`expires` },
    maxFiles,
  );
  return db
    .update(file)
    .set({ state: "going" })
    .where(sql`${file.id} IN (${due})`)
    .returning({ id: file.id, account_id: file.account_id });
}

export async function deleteFiles(db: Database, ids: number[]) {
  await db.delete(file).where(among(file.id, ids));
}

function isUnreferenced(account_id: number, ids: number[]) {
  const isUploaded = and(eq(file.state, "uploaded"), isNotNull(file.expires));
  return and(eq(file.account_id, account_id), among(file.id, ids), isUploaded);
}

/** Files of one field that no submission references yet. */
const MAX_WAITING_FILES_PER_FIELD = 6;
