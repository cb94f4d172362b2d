import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { FileContent, UploadedFile } from "../contract/file/file-ticket.ts";
import type { FileStore } from "../contract/files.ts";
import { selectDueByAccount } from "../database/due-by-account.ts";
import type { Database } from "../database/open.ts";
import { among } from "../database/scope.ts";
import { write } from "../database/steps.ts";
import type { TicketFileTable } from "../database/ticket-file.ts";

/** Queries of the files for which a service issued tickets. `content`: the columns that an upload fills. */
export function ticketFilesIn(file: TicketFileTable, content: (keyof FileContent)[] = []) {
  return { markUploaded, selectUnreferenced, releaseFiles, claimExpired, removeExpired };

  /** Stores that uploads have finished; answers the ids that this service knows. A repeated report changes nothing. */
  async function markUploaded(db: Database, files: UploadedFile[]): Promise<number[]> {
    const ids = files.map(({ id }) => id);
    const reported = (name: keyof UploadedFile) =>
      sql`(SELECT value ->> ${sql.raw(`'${name}'`)} FROM json_each(${JSON.stringify(files)}) WHERE value ->> 'id' = ${file.id})`;
    const filled = Object.fromEntries(content.map((name) => [name, reported(name)]));
    const { known } = await write(db, {
      update: db
        .update(file)
        .set({ state: "uploaded", expires: reported("kept_until"), ...filled })
        .where(and(among(file.id, ids), eq(file.state, "created"))),
      known: db.select({ id: file.id }).from(file).where(among(file.id, ids)),
    });
    return known.map(({ id }) => id);
  }

  /** The account's uploaded files among the ids to which no thing refers. */
  async function selectUnreferenced(db: Database, account_id: number, ids: number[]): Promise<number[]> {
    const found = await db.select({ id: file.id }).from(file).where(isUnreferenced(account_id, ids));
    return found.map(({ id }) => id);
  }

  /** Claims such files for removal, so that nothing can refer to them any more; answers their ids. */
  async function releaseFiles(db: Database, account_id: number, ids: number[]): Promise<number[]> {
    const released = await db
      .update(file)
      .set({ state: "removing", expires: 0 })
      .where(isUnreferenced(account_id, ids))
      .returning({ id: file.id });
    return released.map(({ id }) => id);
  }

  /**
   * Claims expired files for removal, round robin over accounts; nothing can refer to them any more. Files that an
   * earlier call claimed but did not remove are claimed again.
   */
  function claimExpired(db: Database, now: number, maxFiles: number) {
    const isWaiting = sql`expires IS NOT NULL`;
    const isDue = sql`expires <= ${now}`;
    const due = selectDueByAccount({ table: file, isWaiting, isDue, order: sql`expires` }, maxFiles);
    return db
      .update(file)
      .set({ state: "removing" })
      .where(sql`${file.id} IN (${due})`)
      .returning({ id: file.id, account_id: file.account_id });
  }

  /** Removes expired files, first in the files service, then here. */
  async function removeExpired(db: Database, files: FileStore, now: number): Promise<void> {
    const ids = (await claimExpired(db, now, MAX_FILES_PER_SWEEP)).map(({ id }) => id);
    if (ids.length === 0) return;
    await files.removeFiles(ids);
    await db.delete(file).where(among(file.id, ids));
  }

  function isUnreferenced(account_id: number, ids: number[]) {
    const isUploaded = and(eq(file.state, "uploaded"), isNotNull(file.expires));
    return and(eq(file.account_id, account_id), among(file.id, ids), isUploaded);
  }
}

const MAX_FILES_PER_SWEEP = 500;
