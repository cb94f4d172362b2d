import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { KeptFile } from "#shared/contract/file/file-ticket.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { recording } from "../../outbox/audit.ts";
import { serviceTask } from "../../table/vehicle/service-task.ts";
import { serviceTaskFile } from "../../table/vehicle/service-task-file.ts";

/** Stores the file of a ticket. It is removed at `kept_until` unless it was uploaded and named by then. */
export async function insertFile(
  db: Database,
  { account_id, user_id }: Principal,
  { id, kept_until }: KeptFile,
  payload: { size: number },
  actor: Actor,
) {
  await write(db, {
    file: db.insert(serviceTaskFile).values({ id, account_id, user_id, state: "created", expires: kept_until }),
    record: recording(db, actor, { is: ["service_task_file", "create"], entry_id: id, payload }),
  });
}

/** Marks files as uploaded; answers the ids of those that fleet knows. A repetition changes nothing. */
export async function markUploaded(db: Database, files: KeptFile[]): Promise<number[]> {
  const ids = files.map(({ id }) => id);
  const expiry = sql`SELECT value ->> 'kept_until' FROM json_each(${JSON.stringify(files)}) WHERE value ->> 'id' = ${serviceTaskFile.id}`;
  const { files: stored } = await write(db, {
    update: db
      .update(serviceTaskFile)
      .set({ state: "uploaded", expires: sql`(${expiry})` })
      .where(and(among(serviceTaskFile.id, ids), eq(serviceTaskFile.state, "created"))),
    files: db.select({ id: serviceTaskFile.id }).from(serviceTaskFile).where(among(serviceTaskFile.id, ids)),
  });
  return stored.map(({ id }) => id);
}

/**
 * Condition: all of these files are uploaded, and the caller uploaded them or already sees them (`named` selects the
 * files of visible tasks). Undefined without ids; `ids` must be distinct.
 */
export function areFilesUsable(principal: Principal, ids: number[], named: SQL): SQL | undefined {
  if (ids.length === 0) return undefined;
  const usable = visibleTo(
    principal,
    serviceTaskFile,
    among(serviceTaskFile.id, ids),
    eq(serviceTaskFile.state, "uploaded"),
    sql`(${serviceTaskFile.user_id} = ${principal.user_id} OR ${serviceTaskFile.id} IN (${named}))`,
  );
  return sql`(SELECT count(*) FROM ${serviceTaskFile} WHERE ${usable}) = ${ids.length}`;
}

/**
 * Step behind a change of tasks: files that a task names do not expire, files that no task names any more expire now.
 */
export function updateFileExpiry(db: Database, { account_id }: Pick<Principal, "account_id">, now: number) {
  const named = sql`SELECT named.value FROM ${serviceTask}, json_each(${serviceTask.file_ids}) AS named
    WHERE ${serviceTask.account_id} = ${account_id} AND ${serviceTask.file_ids} <> '[]'`;
  const isNamed = sql`${serviceTaskFile.id} IN (${named})`;
  return db
    .update(serviceTaskFile)
    .set({ expires: sql`iif(${isNamed}, NULL, ${now})` })
    .where(
      and(
        eq(serviceTaskFile.account_id, account_id),
        eq(serviceTaskFile.state, "uploaded"),
        sql`(${serviceTaskFile.expires} IS NULL) <> (${isNamed})`,
      ),
    );
}

/** The account's uploaded files that no task names. */
export async function selectUnnamedFiles(db: Database, account_id: number, ids: number[]): Promise<number[]> {
  const found = await db.select({ id: serviceTaskFile.id }).from(serviceTaskFile).where(isUnnamed(account_id, ids));
  return found.map(({ id }) => id);
}

/**
 * Claims the account's uploaded files that no task names for removal, so that no task can name them any more; answers
 * their ids.
 */
export async function releaseFiles(db: Database, account_id: number, ids: number[]): Promise<number[]> {
  const released = await db
    .update(serviceTaskFile)
    .set({ state: "removing", expires: 0 })
    .where(isUnnamed(account_id, ids))
    .returning({ id: serviceTaskFile.id });
  return released.map(({ id }) => id);
}

/**
 * Claims expired files for removal, so that no task can name them any more, and files that were claimed before but not
 * removed; accounts alternate.
 */
export async function claimExpiredFiles(db: Database, now: number, limit: number) {
  const isWaiting = sql`expires IS NOT NULL`;
  const isDue = sql`expires <= ${now}`;
  const due = selectDueByAccount({ table: serviceTaskFile, isWaiting, isDue, order: sql`expires` }, limit);
  return db
    .update(serviceTaskFile)
    .set({ state: "removing" })
    .where(sql`${serviceTaskFile.id} IN (${due})`)
    .returning({ id: serviceTaskFile.id, account_id: serviceTaskFile.account_id });
}

export async function deleteFiles(db: Database, ids: number[]) {
  await db.delete(serviceTaskFile).where(among(serviceTaskFile.id, ids));
}

function isUnnamed(account_id: number, ids: number[]) {
  const isUploaded = and(eq(serviceTaskFile.state, "uploaded"), isNotNull(serviceTaskFile.expires));
  return and(eq(serviceTaskFile.account_id, account_id), among(serviceTaskFile.id, ids), isUploaded);
}
