import { eq, or, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database/open.ts";
import { onlyRow, selectWhether } from "#shared/database/rows.ts";
import { write } from "#shared/database/steps.ts";
import { event } from "../../table/event.ts";
import { eventReader } from "../../table/event-reader.ts";
import { retranslator } from "../../table/forwarding/retranslator.ts";
import { importProcess } from "../../table/import/import-process.ts";
import { importRemark } from "../../table/import/import-remark.ts";
import { accountRemoval } from "../../table/outbox/account-removal.ts";
import { activity } from "../../table/outbox/activity.ts";
import { gaugeChange } from "../../table/outbox/gauge-change.ts";
import { mailOutbox } from "../../table/outbox/mail-outbox.ts";
import { department } from "../../table/people/department.ts";
import { driverChange } from "../../table/people/driver-change.ts";
import { employee } from "../../table/people/employee.ts";
import { journalEntry } from "../../table/people/journal-entry.ts";
import { readEvent } from "../../table/read-event.ts";
import { syncItem } from "../../table/sync-item.ts";
import { tag } from "../../table/tag/tag.ts";
import { tagBinding } from "../../table/tag/tag-binding.ts";
import { counter } from "../../table/telemetry/counter.ts";
import { counterSegment } from "../../table/telemetry/counter-segment.ts";
import { output } from "../../table/telemetry/output.ts";
import { sensor } from "../../table/telemetry/sensor.ts";
import { removedTracker } from "../../table/tracker/removed-tracker.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { trackerGroup } from "../../table/tracker/tracker-group.ts";
import { garage } from "../../table/vehicle/garage.ts";
import { serviceTask } from "../../table/vehicle/service-task.ts";
import { serviceTaskFile } from "../../table/vehicle/service-task-file.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";
import { status } from "../../table/work-status/status.ts";
import { statusChange } from "../../table/work-status/status-change.ts";
import { statusListing } from "../../table/work-status/status-listing.ts";
import { toRemovedDevice } from "../removed-queries.ts";
import { archivedDeletionSteps, archiveTrackers, selectArchivedOriginals } from "./queries.ts";

/**
 * Removes all rows of an account, and the clones of its trackers in other accounts. Large tables are deleted in parts:
 * a hundred thousand vehicles and employees would exceed a statement's time limit.
 */
export async function removeAccount(db: Database, account_id: number, now: number, maxRows = MAX_ROWS_PER_TABLE) {
  const archived = eq(removedTracker.account_id, account_id);
  const tables = [source, tracker, tagBinding, ...ACCOUNT_TABLES];
  const hasAny = or(
    ...tables.map((table) => sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.account_id} = ${account_id})`),
  );
  const results = await write(db, {
    before: selectWhether(db, hasAny ?? sql`FALSE`),
    archive: archiveTrackers(db, eq(source.account_id, account_id), now),
    removal: db.insert(accountRemoval).values({ account_id }).onConflictDoNothing(),
    ...archivedDeletionSteps(db, archived),
    archived: selectArchivedOriginals(db, archived),
    clones: db.delete(tracker).where(eq(tracker.account_id, account_id)),
    bound: db.delete(tagBinding).where(eq(tagBinding.account_id, account_id)),
    ...deletionSteps(db, account_id, maxRows),
  });
  if (onlyRow(results.left).holds) await deleteRest(db, account_id, maxRows);
  return { devices: results.archived.map(toRemovedDevice), isNew: onlyRow(results.before).holds };
}

async function deleteRest(db: Database, account_id: number, maxRows: number): Promise<void> {
  const { left } = await write(db, deletionSteps(db, account_id, maxRows));
  if (onlyRow(left).holds) await deleteRest(db, account_id, maxRows);
}

/** Steps that delete up to `maxRows` rows of each table, and tell whether more are left. */
function deletionSteps(db: Database, account_id: number, maxRows: number) {
  const rowsOf = (table: AccountTable, limit: number) =>
    sql`SELECT rowid FROM ${table} WHERE ${table.account_id} = ${account_id} LIMIT ${limit}`;
  const isLeft = or(...ACCOUNT_TABLES.map((table) => sql`EXISTS (${rowsOf(table, 1)})`));
  return {
    rest: ACCOUNT_TABLES.map((table) => db.delete(table).where(sql`rowid IN (${rowsOf(table, maxRows)})`)),
    left: selectWhether(db, isLeft ?? sql`FALSE`),
  };
}

type AccountTable = SQLiteTable & { account_id: SQLiteColumn };

/** The tables whose rows of the account are deleted. Trackers, devices and tag bindings are deleted before. */
const ACCOUNT_TABLES: AccountTable[] = [
  syncItem,
  vehicle,
  employee,
  department,
  garage,
  retranslator,
  tag,
  trackerGroup,
  event,
  eventReader,
  readEvent,
  driverChange,
  journalEntry,
  statusListing,
  status,
  statusChange,
  sensor,
  output,
  serviceTask,
  serviceTaskFile,
  mailOutbox,
  importProcess,
  importRemark,
  counterSegment,
  counter,
  // Last, because triggers of the tables above insert rows here.
  activity,
  gaugeChange,
];
/** Deleting so many rows of each table takes some tenths of a second. */
const MAX_ROWS_PER_TABLE = 10_000;
