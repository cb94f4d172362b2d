import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Limited } from "#shared/caller/principal.ts";
import type { Imported } from "#shared/contract/import-process.ts";
import type { Database } from "#shared/database/open.ts";
import { insertDriverChangesOn } from "../people/driver-change/queries.ts";
import type { Importer } from "../table/import/import-process.ts";
import { employee } from "../table/people/employee.ts";
import { garage } from "../table/vehicle/garage.ts";
import { vehicle } from "../table/vehicle/vehicle.ts";

/** The table that rows of an import go to, and where employees and vehicles differ. */
export type ImportTarget = {
  table: SQLiteTable & { id: SQLiteColumn; account_id: SQLiteColumn };
  /** The account limit that counts these rows. */
  limit: Limited;
  /** The message for a row that the database refused: an expression on `line.value ->> '$.row.…'` and `process`. */
  refusal: SQL;
  /** The payload of the audit record for a row `inserted`. */
  payload: SQL;
  /** Expressions for columns that are looked up when the row is stored. */
  columns?: Record<string, SQL>;
  /** Last steps of the transaction; `inserted` selects the stored rows. */
  recordChanges?(
    db: Database,
    importer: Importer,
    now: number,
    inserted: SQL,
  ): ReturnType<typeof insertDriverChangesOn>;
};

const EMPLOYEES: ImportTarget = {
  table: employee,
  limit: "employees",
  refusal: sql`CASE WHEN EXISTS (SELECT 1 FROM ${employee} AS other WHERE other.account_id = process.account_id
      AND other.tracker_id = line.value ->> '$.row.tracker_id')
    THEN 'tracker_label: Tracker is already bound to an employee' ELSE 'hardware_key: Another employee has this key' END`,
  payload: sql`json_object('first_name', inserted.first_name, 'last_name', inserted.last_name, 'tracker_id', inserted.tracker_id)`,
  recordChanges(db, importer, now, inserted) {
    const trackers = sql`SELECT inserted.tracker_id AS id FROM (${inserted}) AS inserted WHERE inserted.tracker_id IS NOT NULL`;
    return insertDriverChangesOn(db, importer, { action_date: now }, trackers);
  },
};

const VEHICLES: ImportTarget = {
  table: vehicle,
  limit: "vehicles",
  refusal: sql`'tracker_label: Tracker is already bound to a vehicle'`,
  payload: sql`json_object('label', inserted.label, 'tracker_id', inserted.tracker_id)`,
  // Null when the garage was deleted since the line was parsed.
  columns: {
    garage_id: sql`(SELECT existing.id FROM ${garage} AS existing WHERE existing.id = line.value ->> '$.row.garage_id'
      AND existing.account_id = process.account_id)`,
  },
};

export const TARGETS: Record<Imported, ImportTarget> = { employee: EMPLOYEES, vehicle: VEHICLES };
