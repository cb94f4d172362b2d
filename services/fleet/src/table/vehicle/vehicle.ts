import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";

export const VEHICLE_TYPES = ["truck", "car", "bus", "special"] as const;
export const FUEL_TYPES = ["petrol", "diesel", "gas"] as const;

export const vehicle = sqliteTable(
  "vehicle",
  {
    // Other services keep ids, so the id of a deleted vehicle is never given again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    tracker_id: integer(),
    label: text().notNull(),
    max_speed: integer(),
    model: text().notNull(),
    type: text({ enum: VEHICLE_TYPES }).notNull(),
    subtype: text(),
    garage_id: integer(),
    trailer: text(),
    trailer_reg_number: text().notNull(),
    manufacture_year: integer(),
    color: text(),
    additional_info: text(),
    reg_number: text().notNull(),
    vin: text().notNull(),
    chassis_number: text().notNull(),
    frame_number: text(),
    payload_weight: integer(),
    payload_height: real(),
    payload_length: real(),
    payload_width: real(),
    passengers: integer(),
    gross_weight: integer(),
    fuel_type: text({ enum: FUEL_TYPES }),
    fuel_grade: text().notNull(),
    norm_avg_fuel_consumption: real(),
    fuel_tank_volume: integer(),
    fuel_cost: real(),
    wheel_arrangement: text().notNull(),
    tyre_size: text().notNull(),
    tyres_number: integer(),
    liability_insurance_policy_number: text().notNull(),
    liability_insurance_valid_till: text(),
    free_insurance_policy_number: text().notNull(),
    free_insurance_valid_till: text(),
    icon_id: integer(),
    icon_color: text(),
    avatar_file_name: text(),
    status_id: integer(),
    /** Label, registration number and VIN, folded, each on a line, to search by. */
    searched: text().notNull(),
    // Copies without marks and in lower case, to sort by.
    label_folded: text().notNull(),
    model_folded: text().notNull(),
    reg_number_folded: text().notNull(),
    vin_folded: text().notNull(),
    chassis_number_folded: text().notNull(),
    fuel_grade_folded: text().notNull(),
    wheel_arrangement_folded: text().notNull(),
    tyre_size_folded: text().notNull(),
  },
  (table) => [
    // Unique indexes treat NULLs as different: any number of vehicles may have no tracker.
    uniqueIndex("vehicle_account_tracker").on(table.account_id, table.tracker_id),
    // Ends with the row's id, as every index does.
    index("vehicle_account").on(table.account_id),
    // The most used sort columns: the first page of a long list is read without sorting it.
    // Serves selectVehicles.
    index("vehicle_account_label").on(table.account_id, table.label_folded, table.id),
    // Serves selectVehicles.
    index("vehicle_account_reg_number").on(table.account_id, table.reg_number_folded),
    // Serves selectVehicles.
    index("vehicle_account_model").on(table.account_id, table.model_folded),
  ],
);
export type VehicleRow = typeof vehicle.$inferSelect;
