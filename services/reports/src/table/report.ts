import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";

/** By what it is made, as it was asked for. */
export type ReportRequest = {
  geocoder: string;
  trackers: number[];
  /** What it is about instead, where it is about employees. */
  employees?: number[];
  /** Times of the day `HH:MM:SS`, weekdays from 1, Monday. */
  time_filter: { from: string; to: string; weekdays: number[] };
  include_places_in_address: boolean;
  include_zones_in_address: boolean;
  plugin: { plugin_id: number; show_seconds: boolean; [parameter: string]: unknown };
  locale_info: { locale: string; time_zone: string; measurement_system: string };
  /** As the user had them; reports from before were written without. */
  date_format?: string | null;
  hour_mode?: string | null;
};

/** Whom a scheduled report is mailed to, and the token of the address in these mails. */
export type ReportMail = { emails: string[]; format: "pdf" | "xls"; zip: boolean; token: string };

/** A report that was asked for. Its sheets stand in the bucket, one for each thing that it is about. UTC milliseconds. */
export const report = sqliteTable(
  "report",
  {
    // An id is never given out again: whoever kept one would see another's report.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    /** Whose it is: nobody else of the account sees it. */
    user_id: integer().notNull(),
    title: text().notNull(),
    created: integer().notNull(),
    from: integer().notNull(),
    to: integer().notNull(),
    request: text({ mode: "json" }).$type<ReportRequest>().notNull(),
    /** As whom its data are read; nothing of the session. */
    reader: text({ mode: "json" }).$type<Principal>().notNull(),
    /** `removed`: nobody is shown it any more, and its sheets go. */
    state: text({ enum: ["waiting", "finished", "removed"] }).notNull(),
    /** How many sheets there are of how many. */
    done: integer().notNull().default(0),
    sheets: integer().notNull(),
    /** Until then whoever works on it is left alone. */
    leased: integer().notNull().default(0),
    /** How often somebody has begun with the sheet that comes next. */
    tries: integer().notNull().default(0),
    /** Which schedule made it, and for which of its days, `yyyy-MM-dd`. */
    schedule_id: integer(),
    schedule_day: text(),
    mail: text({ mode: "json" }).$type<ReportMail>(),
    /** Once it is finished, mails about it are to be handed in. */
    is_mail_due: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("report_user").on(table.account_id, table.user_id, table.id),
    // A partial index takes no name of a table.
    index("report_waiting").on(table.account_id, table.id).where(sql`state = 'waiting'`),
    // SQLite keeps NULLs apart: any number of reports may be without a schedule.
    uniqueIndex("report_schedule_day").on(table.schedule_id, table.schedule_day),
    index("report_mail").on(table.account_id, table.id).where(sql`is_mail_due AND state = 'finished'`),
    index("report_removed").on(table.id).where(sql`state = 'removed'`),
  ],
);
export type ReportRow = typeof report.$inferSelect;
