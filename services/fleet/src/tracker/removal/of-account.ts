import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { counter } from "../../table/counter.ts";
import { counterSegment } from "../../table/counter-segment.ts";
import { department } from "../../table/department.ts";
import { driverChange } from "../../table/driver-change.ts";
import { employee } from "../../table/employee.ts";
import { event } from "../../table/event.ts";
import { garage } from "../../table/garage.ts";
import { importProcess } from "../../table/import-process.ts";
import { importRemark } from "../../table/import-remark.ts";
import { journalEntry } from "../../table/journal-entry.ts";
import { mailOutbox } from "../../table/mail-outbox.ts";
import { output } from "../../table/output.ts";
import { retranslator } from "../../table/retranslator.ts";
import { sensor } from "../../table/sensor.ts";
import { serviceTask } from "../../table/service-task.ts";
import { serviceTaskFile } from "../../table/service-task-file.ts";
import { status } from "../../table/status.ts";
import { statusChange } from "../../table/status-change.ts";
import { statusListing } from "../../table/status-listing.ts";
import { tag } from "../../table/tag.ts";
import { trackerGroup } from "../../table/tracker-group.ts";
import { vehicle } from "../../table/vehicle.ts";

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
