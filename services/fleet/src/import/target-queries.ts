import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Limited } from "#shared/caller/principal.ts";
import type { Imported } from "#shared/contract/import-process.ts";
import type { Database } from "#shared/database/open.ts";
import { keepChangesOn } from "../people/driver-change/queries.ts";
import { employee } from "../table/employee.ts";
import { garage } from "../table/garage.ts";
import type { Importer } from "../table/import-process.ts";
import { vehicle } from "../table/vehicle.ts";

/** Where the rows of an import go, and what differs there between employees and vehicles. */
export type Target = {
  table: SQLiteTable & { id: SQLiteColumn; account_id: SQLiteColumn };
  /** The limit that its rows count against. */
  thing: Limited;
  /** Why the database did not take a row: an expression on `line.value ->> '$.row.…'` and `process`. */
  refusal: SQL;
  /** What the log keeps of a row `made`. */
  payload: SQL;
  /** Columns that are looked up when the row is stored. */
  columns?: Record<string, SQL>;
  /** For the end of the transaction; `made` are the rows stored. */
  follow?(db: Database, importer: Importer, now: number, made: SQL): ReturnType<typeof keepChangesOn>;
};

const EMPLOYEES: Target = {
  table: employee,
  thing: "employees",
  refusal: sql`CASE WHEN EXISTS (SELECT 1 FROM ${employee} AS other WHERE other.account_id = process.account_id
      AND other.tracker_id = line.value ->> '$.row.tracker_id')
    THEN 'tracker_label: Tracker is already bound to an employee' ELSE 'hardware_key: Another employee has this key' END`,
  payload: sql`json_object('first_name', made.first_name, 'last_name', made.last_name, 'tracker_id', made.tracker_id)`,
  follow(db, importer, now, made) {
    const trackers = sql`SELECT made.tracker_id AS id FROM (${made}) AS made WHERE made.tracker_id IS NOT NULL`;
    return keepChangesOn(db, importer, { action_date: now }, trackers);
  },
};

const VEHICLES: Target = {
  table: vehicle,
  thing: "vehicles",
  refusal: sql`'tracker_label: Tracker is already bound to a vehicle'`,
  payload: sql`json_object('label', made.label, 'tracker_id', made.tracker_id)`,
  // Deleted in the meantime, it is none.
  columns: {
    garage_id: sql`(SELECT existing.id FROM ${garage} AS existing WHERE existing.id = line.value ->> '$.row.garage_id'
      AND existing.account_id = process.account_id)`,
  },
};

export const TARGETS: Record<Imported, Target> = { employee: EMPLOYEES, vehicle: VEHICLES };
