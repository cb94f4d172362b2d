import { and, asc, eq, gt, isNotNull, isNull, lte, notExists, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { only } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { demand, demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { previewsDue } from "../image/queries.ts";
import { type FileRow, file } from "../table/file.ts";
import type { Ticket } from "./token.ts";

type NewFile = Omit<typeof file.$inferInsert, "id">;
type Content = Pick<FileRow, "filename" | "mime_type" | "size" | "key"> & { filename: string };

/** Its id; 268 where the account would hold more bytes than it may. */
export async function insertFile(db: Database, row: NewFile, quota: number): Promise<number> {
  const held = sql`(SELECT coalesce(sum(${file.size}), 0) FROM ${file} WHERE ${isHeld(row.account_id, row.created)})`;
  const { inserted } = await write(db, {
    room: demand(sql`${held} + ${row.size} <= ${quota}`, () => new ApiError(268)),
    inserted: db.insert(file).values(row).returning({ id: file.id }),
  });
  return only(inserted).id;
}

/** How many files an account has uploaded, and the bytes that it holds, those of open tickets included. */
export async function statsOf(db: Database, account_id: number, now: number) {
  const isUploaded = sql<number>`count(*) FILTER (WHERE ${file.state} = 'uploaded')`;
  const found = await db
    .select({ file_count: isUploaded, total_size: sql<number>`coalesce(sum(${file.size}), 0)` })
    .from(file)
    .where(isHeld(account_id, now));
  return only(found);
}

/** Its name. Of all uploads of a ticket the first that gets here counts: 269 for the others, 204 where the file was removed. */
export async function finishUpload(db: Database, { file_id, account_id }: Ticket, content: Content, now: number) {
  const { filename, ...stored } = content;
  const isUploaded = and(eq(file.id, file_id), eq(file.state, "uploaded"));
  const { finished } = await write(db, {
    first: demand(notExists(db.select().from(file).where(isUploaded)), () => new ApiError(269)),
    finished: db
      .update(file)
      .set({
        ...stored,
        ...previewsDue(stored.mime_type, now),
        filename: sql`coalesce(${file.filename}, ${filename})`,
        state: "uploaded",
        uploaded: now,
        expires: null,
        untold_since: now,
      })
      .where(and(isOpen(file_id, account_id), gt(file.expires, now)))
      .returning({ filename: file.filename }),
    open: demandChange(() => new ApiError(204)),
  });
  return only(finished).filename ?? filename;
}

/** Undefined where there is none, or none any more. */
export function findUploaded(db: Database, file_id: number) {
  return db
    .select({ key: file.key, filename: file.filename, mime_type: file.mime_type })
    .from(file)
    .where(and(eq(file.id, file_id), eq(file.state, "uploaded"), isNull(file.expires)))
    .get();
}

/** Those of the ids that the account has uploaded, by id. */
export function selectUploaded(db: Database, account_id: number, ids: number[]) {
  return db
    .select()
    .from(file)
    .where(and(eq(file.account_id, account_id), among(file.id, ids), eq(file.state, "uploaded"), isNull(file.expires)))
    .orderBy(asc(file.id));
}

/** What owners have not heard of, the oldest first. */
export function selectUnreported(db: Database, limit: number) {
  return db
    .select({ id: file.id, uploaded: sql<number>`${file.untold_since}` })
    .from(file)
    .where(isNotNull(file.untold_since))
    .orderBy(asc(file.untold_since))
    .limit(limit);
}

/** The owner has heard of all; what it has no ticket of goes. */
export async function settleReported(db: Database, ids: number[], accepted: number[]) {
  const isAccepted = among(file.id, accepted);
  await db
    .update(file)
    .set({ untold_since: null, expires: sql`iif(${isAccepted}, ${file.expires}, ${AT_ONCE})` })
    .where(among(file.id, ids));
}

/** The sweep removes them. */
export async function expireFiles(db: Database, ids: number[]) {
  await db.update(file).set({ expires: AT_ONCE, untold_since: null }).where(among(file.id, ids));
}

export async function expireFilesOfAccounts(db: Database, accounts: number[]) {
  await db.update(file).set({ expires: AT_ONCE, untold_since: null }).where(among(file.account_id, accounts));
}

/** What is to be removed, of tickets those that ended before the moment. */
export function selectExpired(db: Database, before: number, limit: number) {
  return db
    .select({ id: file.id })
    .from(file)
    .where(and(isNotNull(file.expires), lte(file.expires, before)))
    .orderBy(asc(file.expires))
    .limit(limit);
}

export async function deleteFiles(db: Database, ids: number[]) {
  await db.delete(file).where(among(file.id, ids));
}

function isHeld(account_id: number, now: number): SQL | undefined {
  return and(eq(file.account_id, account_id), or(isNull(file.expires), gt(file.expires, now)));
}

function isOpen(file_id: number, account_id: number) {
  return and(eq(file.id, file_id), eq(file.account_id, account_id), eq(file.state, "created"));
}

/** Before any other moment. */
const AT_ONCE = 0;
