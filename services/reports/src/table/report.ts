import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";

/** The request of a report, with defaults. */
export type ReportRequest = {
  geocoder: string;
  trackers: number[];
  /** The subjects of a report about employees; it has no trackers then. */
  employees?: number[];
  /** Times of day as `HH:MM:SS`, weekdays from 1 (Monday). */
  time_filter: { from: string; to: string; weekdays: number[] };
  include_places_in_address: boolean;
  include_zones_in_address: boolean;
  plugin: { plugin_id: number; show_seconds: boolean; [parameter: string]: unknown };
  locale_info: { locale: string; time_zone: string; measurement_system: string };
  /** The user's settings at that time; older reports have none. */
  date_format?: string | null;
  hour_mode?: string | null;
};

/** The recipients of a scheduled report, and the token of the link in its mails. */
export type ReportMail = { emails: string[]; format: "pdf" | "xls"; zip: boolean; token: string };

/** A requested report. Its sheets are in the bucket, one for each subject. Times are in UTC milliseconds. */
export const report = sqliteTable(
  "report",
  {
    // A deleted report's id is never used again: a client that kept one would get another report.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    /** The owner; other users of the account do not see it. */
    user_id: integer().notNull(),
    title: text().notNull(),
    created: integer().notNull(),
    from: integer().notNull(),
    to: integer().notNull(),
    request: text({ mode: "json" }).$type<ReportRequest>().notNull(),
    /** The trackers whose data the report contains: only who sees all of them may read it. */
    trackers: text({ mode: "json" }).$type<number[]>().notNull(),
    /** The principal whose rights decide on the data, without its session. */
    reader: text({ mode: "json" }).$type<Principal>().notNull(),
    /** `removed` reports are not visible any more; a sweep deletes their sheets. */
    state: text({ enum: ["waiting", "finished", "removed"] }).notNull(),
    /** Number of finished sheets, of all sheets. */
    done: integer().notNull().default(0),
    sheets: integer().notNull(),
    /** End of the lease: until then no other call works on the report. */
    leased: integer().notNull().default(0),
    /** Attempts to make the next sheet. */
    tries: integer().notNull().default(0),
    /** The schedule that made it, and for which day (`yyyy-MM-dd`). */
    schedule_id: integer(),
    schedule_day: text(),
    mail: text({ mode: "json" }).$type<ReportMail>(),
    /** True until the mails about the finished report are enqueued. */
    is_mail_due: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    // Serves selectReports.
    index("report_user").on(table.account_id, table.user_id, table.id),
    // A partial index cannot qualify columns by their table.
    // Serves selectUnleased.
    index("report_waiting").on(table.account_id, table.id).where(sql`state = 'waiting'`),
    // SQLite treats NULLs as distinct: any number of reports may have no schedule.
    uniqueIndex("report_schedule_day").on(table.schedule_id, table.schedule_day),
    // Serves selectMailDue.
    index("report_mail").on(table.account_id, table.id).where(sql`is_mail_due AND state = 'finished'`),
    // Serves selectRemoved.
    index("report_removed").on(table.id).where(sql`state = 'removed'`),
  ],
);
export type ReportRow = typeof report.$inferSelect;
