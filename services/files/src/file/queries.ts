import { and, asc, eq, gt, inArray, isNull, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { toMetadataColumn, toPreviewColumns } from "../image/queries.ts";
import { type FileRow, file } from "../table/file.ts";
import type { Ticket } from "./token.ts";

export type NewFileRow = Omit<typeof file.$inferInsert, "id">;
type FinishedContent = Pick<FileRow, "mime_type" | "size" | "key" | "digest"> & {
  filename: string;
  leavesPieces: boolean;
  orientation: number | undefined;
};

/** Inserts a file and removes the replaced ones; answers its id. 268 if the account would exceed its quota of bytes. */
export async function insertFile(
  db: Database,
  row: NewFileRow,
  quota: number,
  replacedIds: number[] = [],
): Promise<number> {
  const held = sql`(SELECT coalesce(sum(${file.size}), 0) FROM ${file} WHERE ${isHeld(row.account_id, row.created)})`;
  const { inserted } = await write(db, {
    left: replacedIds.length > 0 ? db.update(file).set(REMOVED).where(among(file.id, replacedIds)) : undefined,
    quota: demand(sql`${held} + ${row.size} <= ${quota}`, () => new ApiError(268)),
    inserted: db.insert(file).values(row).returning({ id: file.id }),
  });
  return onlyRow(inserted).id;
}

/** Files uploaded since `since`, oldest first. `held` in each row: all bytes that count against the account's quota. */
export function selectOldestUploads(
  db: Database,
  account_id: number,
  { since, now }: { since: number; now: number },
  limit: number,
) {
  const held = sql<number>`(SELECT coalesce(sum(${file.size}), 0) FROM ${file} WHERE ${isHeld(account_id, now)})`;
  return db
    .select({ id: file.id, account_id: file.account_id, owner: file.owner, size: file.size, held })
    .from(file)
    .where(and(isHeld(account_id, now), eq(file.state, "uploaded"), gt(file.uploaded, since)))
    .orderBy(asc(file.uploaded), asc(file.id))
    .limit(limit);
}

/** The number of uploaded files, and the bytes of files and open tickets. */
export async function readStats(db: Database, account_id: number, now: number) {
  const isUploaded = sql<number>`count(*) FILTER (WHERE ${file.state} = 'uploaded')`;
  const rows = await db
    .select({ file_count: isUploaded, total_size: sql<number>`coalesce(sum(${file.size}), 0)` })
    .from(file)
    .where(isHeld(account_id, now));
  return onlyRow(rows);
}

/**
 * Marks the file as being uploaded, before any object is written, and answers its row, which may be `uploaded` already.
 * 204 if the ticket has expired or its file was removed.
 */
export async function beginUpload(db: Database, { file_id, account_id }: Ticket, now: number): Promise<FileRow> {
  const { current } = await write(db, {
    begun: db
      .update(file)
      .set({ state: "in_progress", attempts: sql`${file.attempts} + 1`, cleanup_due: now + CLEANUP_DELAY_MS })
      .where(and(isOpen(file_id, account_id), gt(file.expires, now))),
    current: db
      .select()
      .from(file)
      .where(isLive(file_id, account_id, now)),
  });
  const [row] = current;
  if (!row) throw new ApiError(204);
  return row;
}

/** Ends an unused ticket. 204 if it has expired or its file was removed, 269 if it was used. */
export async function endTicket(db: Database, { file_id, account_id }: Ticket, now: number) {
  const isLiveTicket = sql`EXISTS ${db
    .select()
    .from(file)
    .where(isLive(file_id, account_id, now))}`;
  await write(db, {
    exists: demand(isLiveTicket, () => new ApiError(204)),
    ended: db.update(file).set(REMOVED).where(isOpen(file_id, account_id)),
    open: demandChange(() => new ApiError(269)),
  });
}

/** Makes the ticket usable again after a failed upload. */
export async function endUpload(db: Database, { file_id, account_id }: Ticket) {
  await db
    .update(file)
    .set({ state: "created" })
    .where(and(isOpen(file_id, account_id), eq(file.state, "in_progress")));
}

/**
 * Stores the content of an upload and answers the file's new row. Of concurrent uploads with a ticket the first one
 * counts: 269 for the others. 204 if the file was removed.
 */
export async function finishUpload(
  db: Database,
  { file_id, account_id }: Ticket,
  content: FinishedContent,
  now: number,
) {
  const { filename, leavesPieces, orientation, ...stored } = content;
  const isUploaded = and(eq(file.id, file_id), eq(file.state, "uploaded"));
  const { finished } = await write(db, {
    first: demand(notExists(db.select().from(file).where(isUploaded)), () => new ApiError(269)),
    finished: db
      .update(file)
      .set({
        ...stored,
        ...toPreviewColumns(stored.mime_type, now),
        ...toMetadataColumn(orientation),
        filename: sql`coalesce(${file.filename}, ${filename})`,
        state: "uploaded",
        uploaded: now,
        expires: null,
        undelivered_since: now,
        // Only earlier attempts and pieces leave objects to clean up.
        cleanup_due: sql`iif(${file.attempts} = 1 AND NOT ${leavesPieces}, NULL, ${file.cleanup_due})`,
      })
      .where(and(isOpen(file_id, account_id), gt(file.expires, now)))
      .returning(),
    open: demandChange(() => new ApiError(204)),
  });
  return onlyRow(finished);
}

/** The file of a ticket; 204 if the ticket has expired or the file was removed. */
export async function requireLive(db: Database, { file_id, account_id }: Ticket, now: number): Promise<FileRow> {
  const row = await db
    .select()
    .from(file)
    .where(isLive(file_id, account_id, now))
    .get();
  if (!row) throw new ApiError(204);
  return row;
}

/** The stored content of a file; undefined if it is not uploaded or was removed. */
export function findUploaded(db: Database, file_id: number) {
  return db.select(CONTENT_COLUMNS).from(file).where(isDownloadable(file_id)).get();
}

/** The stored content of a file of the caller's account; undefined if it is not uploaded or was removed. */
export function findVisible(db: Database, principal: Principal, file_id: number) {
  return db
    .select({ ...CONTENT_COLUMNS, user_id: file.user_id, owner: file.owner })
    .from(file)
    .where(visibleTo(principal, file, isDownloadable(file_id)))
    .get();
}

/** Those of the account's files that are uploaded or have an open ticket. */
export function selectLive(db: Database, account_id: number, ids: number[], now: number) {
  return db
    .select()
    .from(file)
    .where(and(isHeld(account_id, now), among(file.id, ids)));
}

/** The SHA-256 of uploaded files, by id. */
export async function selectDigests(db: Database, ids: number[]): Promise<Record<number, string>> {
  const rows = await db
    .select({ id: file.id, digest: file.digest })
    .from(file)
    .where(and(among(file.id, ids), eq(file.state, "uploaded")));
  return Object.fromEntries(rows.flatMap(({ id, digest }) => (digest === null ? [] : [[id, digest]])));
}

/** Uploads not yet delivered to their keepers, alternating between accounts. */
export function selectUndelivered(db: Database, limit: number) {
  const isWaiting = sql`undelivered_since IS NOT NULL`;
  const next = selectDueByAccount({ table: file, isWaiting, isDue: sql`TRUE`, order: sql`undelivered_since` }, limit);
  return db
    .select({
      id: file.id,
      account_id: file.account_id,
      owner: file.owner,
      filename: file.filename,
      size: file.size,
      mime_type: file.mime_type,
      uploaded: sql<number>`${file.undelivered_since}`,
    })
    .from(file)
    .where(sql`${file.id} IN (${next})`);
}

/** Marks uploads as delivered. Those that the keeper did not accept, because it has no such ticket, are removed. */
export async function markDelivered(db: Database, ids: number[], accepted: number[]) {
  const isAccepted = among(file.id, accepted);
  await db
    .update(file)
    .set({ undelivered_since: null, expires: sql`iif(${isAccepted}, ${file.expires}, 0)` })
    .where(among(file.id, ids));
}

function isDownloadable(file_id: number) {
  return and(eq(file.id, file_id), eq(file.state, "uploaded"), isNull(file.expires));
}

function isHeld(account_id: number, now: number): SQL | undefined {
  return and(
    eq(file.account_id, account_id),
    or(isNull(file.expires), gt(file.expires, now)),
    ne(file.state, "deleted"),
  );
}

function isOpen(file_id: number, account_id: number) {
  const states = inArray(file.state, ["created", "in_progress"]);
  return and(eq(file.id, file_id), eq(file.account_id, account_id), states);
}

function isLive(file_id: number, account_id: number, now: number) {
  return and(isHeld(account_id, now), eq(file.id, file_id));
}

const CONTENT_COLUMNS = { key: file.key, filename: file.filename, mime_type: file.mime_type };
/** Longer than an upload that ended with its Worker could still run. */
export const CLEANUP_DELAY_MS = 10 * MINUTE_MS;
/** Columns of a removed file: invisible at once, and due for the sweep. */
export const REMOVED = { expires: 0, undelivered_since: null, state: "deleted" } as const;
