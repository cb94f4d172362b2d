import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database/open.ts";
import { onlyRow, selectWhether } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { accountZone } from "../table/account-zone.ts";
import { checkin } from "../table/checkin.ts";
import { eventOutbox } from "../table/event-outbox.ts";
import { file } from "../table/file.ts";
import { form } from "../table/form.ts";
import { formTemplate } from "../table/form-template.ts";
import { record } from "../table/record.ts";
import { recordQueue } from "../table/record-queue.ts";
import { removedTag } from "../table/removed-tag.ts";
import { removedTracker } from "../table/removed-tracker.ts";
import { syncChange } from "../table/sync-change.ts";
import { syncItem } from "../table/sync-item.ts";
import { syncRevision } from "../table/sync-revision.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { task } from "../table/task.ts";
import { taskHistory } from "../table/task-history.ts";
import { taskSchedule } from "../table/task-schedule.ts";
import { taskVisit } from "../table/task-visit.ts";
import { tourCount } from "../table/tour-count.ts";
import { trackerClone } from "../table/tracker-clone.ts";
import { trackerWork } from "../table/tracker-work.ts";

/** All that accounts have here, in parts: a million tasks in one statement would take longer than it may. */
export async function removeAccounts(db: Database, account_ids: number[], part = PART): Promise<void> {
  if (account_ids.length === 0) return;
  const { left } = await write(db, {
    removed: OF_ACCOUNT.map((table) => db.delete(table).where(sql`rowid IN (${rowsOf(table, account_ids, part)})`)),
    left: selectWhether(
      db,
      sql.join(
        OF_ACCOUNT.map((table) => sql`EXISTS (${rowsOf(table, account_ids, 1)})`),
        sql` OR `,
      ),
    ),
  });
  if (onlyRow(left).holds) await removeAccounts(db, account_ids, part);
}

type OfAccount = SQLiteTable & { account_id: SQLiteColumn };

function rowsOf(table: OfAccount, account_ids: number[], most: number) {
  return sql`SELECT rowid FROM ${table} WHERE ${among(table.account_id, account_ids)} LIMIT ${most}`;
}

const OF_ACCOUNT: OfAccount[] = [
  // Their forms go with them.
  task,
  checkin,
  form,
  formTemplate,
  // Behind tasks, whose end raises its revisions.
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
  // Behind all whose end is a change.
  syncChange,
  syncRevision,
];
/** Of each table; some tenths of a second. */
const PART = 20_000;
