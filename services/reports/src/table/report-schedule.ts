import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";
import type { ScheduleDays } from "#shared/time/schedule-days.ts";

/** What is made again and again, and whom it is mailed to. */
export type ScheduleParameters = {
  /** How long a time before its day a report is about: `1d`, `2w`, `1m`. */
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
  /** `HH:00:00`, when on its days the report is made. */
  sending_time: string;
};

/** What came of a schedule's last day: a report, or the code of what was in the way. */
export type LastResult = { success: true; id: number } | { success: false; code: number };

/** A report that is made on days to come, for a user. UTC milliseconds. */
export const reportSchedule = sqliteTable(
  "report_schedule",
  {
    // Reports keep it: an id is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    user_id: integer().notNull(),
    revision: revisionColumn(),
    enabled: integer({ mode: "boolean" }).notNull(),
    parameters: text({ mode: "json" }).$type<ScheduleParameters>().notNull(),
    /** The user's, in which the next day was reckoned. */
    time_zone: text().notNull(),
    next_run: integer().notNull(),
    last_result: text({ mode: "json" }).$type<LastResult>(),
  },
  (table) => [
    index("report_schedule_user").on(table.account_id, table.user_id, table.id),
    // A partial index takes no name of a table.
    index("report_schedule_next_run").on(table.account_id, table.next_run).where(sql`enabled`),
  ],
);
export type ScheduleRow = typeof reportSchedule.$inferSelect;
