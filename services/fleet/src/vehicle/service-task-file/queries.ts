import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { KeptFile } from "#shared/contract/file/file-ticket.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { ticketFilesIn } from "#shared/ticket-file/queries.ts";
import { recordChange } from "../../outbox/audit.ts";
import { serviceTask } from "../../table/vehicle/service-task.ts";
import { serviceTaskFile } from "../../table/vehicle/service-task-file.ts";

export const { markUploaded, selectUnreferenced, releaseFiles, claimExpired, removeExpired } =
  ticketFilesIn(serviceTaskFile);

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
    record: recordChange(db, actor, { is: ["service_task_file", "create"], entry_id: id, payload }),
  });
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
  const usedIds = sql`SELECT named.value FROM ${serviceTask}, json_each(${serviceTask.file_ids}) AS named
    WHERE ${serviceTask.account_id} = ${account_id} AND ${serviceTask.file_ids} <> '[]'`;
  const isUsed = sql`${serviceTaskFile.id} IN (${usedIds})`;
  return db
    .update(serviceTaskFile)
    .set({ expires: sql`iif(${isUsed}, NULL, ${now})` })
    .where(
      and(
        eq(serviceTaskFile.account_id, account_id),
        eq(serviceTaskFile.state, "uploaded"),
        sql`(${serviceTaskFile.expires} IS NULL) <> (${isUsed})`,
      ),
    );
}
