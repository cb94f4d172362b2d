import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { eventOutbox } from "../table/event-outbox.ts";
import { removedTag } from "../table/removed-tag.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { task } from "../table/task.ts";
import { taskHistory } from "../table/task-history.ts";
import { taskSchedule } from "../table/task-schedule.ts";

/** All that accounts have here. */
export async function removeAccounts(db: Database, account_ids: number[]) {
  if (account_ids.length === 0) return;
  await db.batch([
    deleteOf(db, task, account_ids),
    ...[taskHistory, taskSchedule, eventOutbox, tagBinding, removedTag].map((table) =>
      deleteOf(db, table, account_ids),
    ),
  ]);
}

function deleteOf(db: Database, table: SQLiteTable & { account_id: SQLiteColumn }, account_ids: number[]) {
  return db.delete(table).where(among(table.account_id, account_ids));
}
