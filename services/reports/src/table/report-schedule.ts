import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";
import type { ScheduleDays } from "#shared/time/schedule-days.ts";

/** The report that a schedule makes, and the recipients of its mails. */
export type ScheduleParameters = {
  /** The length of the report's range before its day: `1d`, `2w`, `1m`. */
  period: string;
  schedule: ScheduleDays;
  report: {
    title: string | null;
    geocoder: string;
    trackers: number[];
    employees: number[];
    time_filter: { from: string; to: string; weekdays: number[] };
    plugin: { plugin_id: number; [parameter: string]: unknown };
    include_places_in_address: boolean;
    include_zones_in_address: boolean;
  };
  emails: string[];
  email_format: "pdf" | "xls";
  email_zip: boolean;
  /** `HH:00:00` when the report is made on its days. */
  sending_time: string;
};

/** The result of a schedule's last day: a report, or the code of an error. */
export type LastResult = { success: true; id: number } | { success: false; code: number };

/** A user's schedule of a report. Times are in UTC milliseconds. */
export const reportSchedule = sqliteTable(
  "report_schedule",
  {
    // Reports keep ids: a deleted schedule's id is never used again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    user_id: integer().notNull(),
    revision: revisionColumn(),
    enabled: integer({ mode: "boolean" }).notNull(),
    parameters: text({ mode: "json" }).$type<ScheduleParameters>().notNull(),
    /** The user's zone by which `next_run` was computed. */
    time_zone: text().notNull(),
    next_run: integer().notNull(),
    last_result: text({ mode: "json" }).$type<LastResult>(),
  },
  (table) => [
    // Serves selectSchedules.
    index("report_schedule_user").on(table.account_id, table.user_id, table.id),
    // A partial index cannot qualify columns by their table.
    // Serves selectDue.
    index("report_schedule_next_run").on(table.account_id, table.next_run).where(sql`enabled`),
  ],
);
export type ScheduleRow = typeof reportSchedule.$inferSelect;
