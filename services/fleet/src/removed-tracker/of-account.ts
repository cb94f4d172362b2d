import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { counter, counterSegment } from "../counter/table.ts";
import { department } from "../department/table.ts";
import { driverChange } from "../driver-change/table.ts";
import { employee } from "../employee/table.ts";
import { garage } from "../garage/table.ts";
import { event } from "../history/table.ts";
import { importProcess, importRemark } from "../import/table.ts";
import { journalEntry } from "../journal-entry/table.ts";
import { mailOutbox } from "../mail-outbox/table.ts";
import { output } from "../output/table.ts";
import { retranslator } from "../retranslator/table.ts";
import { sensor } from "../sensor/table.ts";
import { serviceTask } from "../service-task/table.ts";
import { serviceTaskFile } from "../service-task-file/table.ts";
import { status } from "../status/table.ts";
import { statusListing } from "../status-listing/table.ts";
import { tag } from "../tag/table.ts";
import { trackerGroup } from "../tracker-group/table.ts";
import { statusChange } from "../tracker-status/table.ts";
import { vehicle } from "../vehicle/table.ts";

export type OfAccount = SQLiteTable & { id: SQLiteColumn; account_id: SQLiteColumn };

/** What is deleted with an account; trackers, their devices and what is bound to tags goes on its own. */
export const OF_ACCOUNT: OfAccount[] = [
  vehicle,
  employee,
  department,
  garage,
  retranslator,
  tag,
  trackerGroup,
  event,
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
];
