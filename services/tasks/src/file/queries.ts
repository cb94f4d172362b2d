import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { KeptFile, UploadedFile, WorkFileOwner } from "#shared/contract/file-ticket.ts";
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
/** What the file is for; `now` tells which others are still for it. */
export type FormFieldRef = { form_id: number; field_id: string; now: number };

/** A ticket; unless something comes of it, its file goes at that moment. */
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

/** That the form is still there, and that few files of the field wait for a submission that names them. */
function demandFieldQuota(account_id: number, { form_id, field_id, now }: FormFieldRef) {
  const isForm = and(eq(form.account_id, account_id), eq(form.id, form_id));
  const waiting = sql`(SELECT count(*) FROM ${file} WHERE ${and(eq(file.form_id, form_id), eq(file.field_id, field_id))}
    AND ${file.state} <> 'going' AND ${file.expires} > ${now})`;
  return {
    isForm: demand(isThere(form, isForm), () => new ApiError(201)),
    hasRoom: demand(sql`${waiting} < ${MAX_WAITING_FILES_PER_FIELD}`, () => new ApiError(267)),
  };
}

/** They have come in; which of them are known. Told again, nothing changes. */
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

/** Those of the account's uploaded files that nothing names. */
export async function selectUnreferenced(db: Database, account_id: number, ids: number[]): Promise<number[]> {
  const found = await db.select({ id: file.id }).from(file).where(isUnreferenced(account_id, ids));
  return found.map(({ id }) => id);
}

/** The same; from now on nothing may name them. */
export async function releaseFiles(db: Database, account_id: number, ids: number[]): Promise<number[]> {
  const released = await db
    .update(file)
    .set({ state: "going", expires: 0 })
    .where(isUnreferenced(account_id, ids))
    .returning({ id: file.id });
  return released.map(({ id }) => id);
}

/** What is due to go, accounts in turn; from now on nothing may name it. Also what was taken before and is still there. */
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

/** Files of a field that no submission names yet. */
const MAX_WAITING_FILES_PER_FIELD = 6;
