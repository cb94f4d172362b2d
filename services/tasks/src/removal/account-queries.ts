import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database/open.ts";
import { onlyRow, selectWhether } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { checkin } from "../table/checkin.ts";
import { file } from "../table/file.ts";
import { form } from "../table/form/form.ts";
import { formTemplate } from "../table/form/form-template.ts";
import { eventOutbox } from "../table/outbox/event-outbox.ts";
import { record } from "../table/record/record.ts";
import { recordQueue } from "../table/record/record-queue.ts";
import { accountZone } from "../table/schedule/account-zone.ts";
import { taskSchedule } from "../table/schedule/task-schedule.ts";
import { syncChange } from "../table/sync/sync-change.ts";
import { syncItem } from "../table/sync/sync-item.ts";
import { syncRevision } from "../table/sync/sync-revision.ts";
import { removedTag } from "../table/tag/removed-tag.ts";
import { tagBinding } from "../table/tag/tag-binding.ts";
import { task } from "../table/task/task.ts";
import { taskHistory } from "../table/task/task-history.ts";
import { taskVisit } from "../table/task/task-visit.ts";
import { tourCount } from "../table/task/tour-count.ts";
import { removedTracker } from "../table/tracker/removed-tracker.ts";
import { trackerClone } from "../table/tracker/tracker-clone.ts";
import { trackerWork } from "../table/tracker/tracker-work.ts";

/**
 * Deletes all rows of the accounts, in several transactions: a million tasks in one statement would exceed its time
 * limit.
 */
export async function removeAccounts(db: Database, account_ids: number[], maxRows = MAX_ROWS_PER_TABLE): Promise<void> {
  if (account_ids.length === 0) return;
  const { left } = await write(db, {
    removed: ACCOUNT_TABLES.map((table) =>
      db.delete(table).where(sql`rowid IN (${selectRowsOf(table, account_ids, maxRows)})`),
    ),
    left: selectWhether(
      db,
      sql.join(
        ACCOUNT_TABLES.map((table) => sql`EXISTS (${selectRowsOf(table, account_ids, 1)})`),
        sql` OR `,
      ),
    ),
  });
  if (onlyRow(left).holds) await removeAccounts(db, account_ids, maxRows);
}

type AccountTable = SQLiteTable & { account_id: SQLiteColumn };

function selectRowsOf(table: AccountTable, account_ids: number[], maxRows: number) {
  return sql`SELECT rowid FROM ${table} WHERE ${among(table.account_id, account_ids)} LIMIT ${maxRows}`;
}

const ACCOUNT_TABLES: AccountTable[] = [
  // Triggers delete the forms of tasks and check-ins.
  task,
  checkin,
  form,
  formTemplate,
  // Comes after `task`: deleting tasks raises its revisions.
  trackerWork,
  trackerClone,
  taskVisit,
  taskHistory,
  taskSchedule,
  eventOutbox,
  tagBinding,
  removedTag,
  removedTracker,
  accountZone,
  record,
  recordQueue,
  syncItem,
  tourCount,
  file,
  // Comes last: deleting tasks and templates adds changes.
  syncChange,
  syncRevision,
];
/** Keeps a transaction to some tenths of a second. */
const MAX_ROWS_PER_TABLE = 20_000;
