import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";
import type { Location } from "#shared/operation/fields.ts";

export const employee = sqliteTable(
  "employee",
  {
    // Journals and check-ins keep ids, so the id of a deleted employee is never given again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    tracker_id: integer(),
    first_name: text().notNull(),
    middle_name: text().notNull(),
    last_name: text().notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    driver_license_number: text().notNull(),
    driver_license_cats: text().notNull(),
    driver_license_issue_date: text(),
    driver_license_valid_till: text(),
    hardware_key: text(),
    icon_id: integer(),
    avatar_file_name: text(),
    department_id: integer(),
    location: text({ mode: "json" }).$type<Location>(),
    personnel_number: text(),
    ssn: text(),
    /** The employee's own searchable texts, folded, each on a line. */
    searched: text().notNull(),
    // Copies without marks and in lower case, to sort by.
    first_name_folded: text().notNull(),
    email_folded: text().notNull(),
    driver_license_number_folded: text().notNull(),
    driver_license_cats_folded: text().notNull(),
    hardware_key_folded: text(),
    address_folded: text(),
    personnel_number_folded: text(),
    ssn_folded: text(),
    /** Last, first and middle name, folded: lists of drivers are sorted by it. */
    name_folded: text().notNull().default(""),
  },
  (table) => [
    // Unique indexes treat NULLs as different: any number of employees may have no tracker or key.
    uniqueIndex("employee_account_tracker").on(table.account_id, table.tracker_id),
    // An empty key counts as none. The condition of a partial index must not name the table.
    uniqueIndex("employee_account_hardware_key")
      .on(table.account_id, table.hardware_key)
      .where(sql`hardware_key <> ''`),
    // Ends with the row's id, as every index does.
    index("employee_account").on(table.account_id),
    // Serves removeDepartment.
    index("employee_account_department").on(table.account_id, table.department_id),
    // The most used sort columns: the first page of a long list is read without sorting it.
    // Serves selectEmployees.
    index("employee_account_first_name").on(table.account_id, table.first_name_folded, table.id),
    // Serves selectEmployees.
    index("employee_account_email").on(table.account_id, table.email_folded),
  ],
);
export type EmployeeRow = typeof employee.$inferSelect;
