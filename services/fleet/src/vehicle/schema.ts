import * as z from "zod";
import { changesOf } from "#shared/operation/changes.ts";
import { color, plainDate, text } from "#shared/operation/fields.ts";
import { FUEL_TYPES, VEHICLE_TYPES, type VehicleRow } from "../table/vehicle/vehicle.ts";

export const SUBTYPES: Record<(typeof VEHICLE_TYPES)[number], string[]> = {
  car: [
    "sedan",
    "universal",
    "hatchback",
    "liftback",
    "limousine",
    "pickup",
    "minivan",
    "coupe",
    "coupe4d",
    "muscle",
    "convertible",
    "phaeton",
    "lando",
    "crossover",
    "roadster",
    "suv",
  ],
  truck: [
    "tipper",
    "board",
    "covered",
    "awning",
    "mixer",
    "tanker",
    "refrigerator",
    "transporter",
    "container",
    "tractor",
  ],
  bus: ["city", "shuttle", "platform", "school", "intercity", "sightseeing"],
  special: [
    "mobile_crane",
    "racing",
    "buggy",
    "ambulance",
    "firefighter",
    "hearse",
    "shop",
    "harvester",
    "snowplow",
    "tractor",
    "grader",
    "excavator",
    "bulldozer",
    "armored",
    "amphibian",
    "boat",
  ],
};

const whole = () => z.int().min(0).max(2_147_483_647).nullable().default(null);
const decimal = () => z.number().min(0).max(1e9).nullable().default(null);
const day = () => plainDate().nullable().default(null);
const line = (max: number) => text(max).default("");
const note = (max: number) => text(max).nullable().default(null);

// Not strict: callers send back what `/vehicle/read` answered, with its read-only members.
const Members = z.object({
  tracker_id: z.int().nullable().default(null),
  label: text(100).min(1),
  max_speed: whole(),
  model: line(100),
  type: z.enum(VEHICLE_TYPES).default("car"),
  subtype: note(32),
  garage_id: z.int().nullable().default(null),
  trailer: note(255),
  trailer_reg_number: line(32),
  manufacture_year: z.int().min(1).max(9999).nullable().default(null),
  color: note(255),
  additional_info: note(1024),
  reg_number: line(32),
  vin: line(20),
  chassis_number: line(32),
  frame_number: note(32),
  payload_weight: whole(),
  payload_height: decimal(),
  payload_length: decimal(),
  payload_width: decimal(),
  passengers: whole(),
  gross_weight: whole(),
  fuel_type: z.enum(FUEL_TYPES).nullable().default(null),
  fuel_grade: line(16),
  norm_avg_fuel_consumption: decimal(),
  fuel_tank_volume: whole(),
  fuel_cost: decimal(),
  wheel_arrangement: line(16),
  tyre_size: line(50),
  tyres_number: whole(),
  liability_insurance_policy_number: line(50),
  liability_insurance_valid_till: day(),
  free_insurance_policy_number: line(50),
  free_insurance_valid_till: day(),
  icon_color: color().nullable().default(null),
  tags: z.array(z.int()).max(1000).default([]),
});

/** Only the label has no default. */
export const NewVehicle = Members.superRefine(requireSubtype);
export type NewVehicle = z.output<typeof NewVehicle>;

export const ChangedVehicle = changesOf(Members).extend({ id: z.int() });
export type ChangedVehicle = z.output<typeof ChangedVehicle>;

export const Vehicle = Members.extend({
  id: z.int(),
  tracker_label: z.string().optional(),
  garage_organization_name: z.string().optional(),
  icon_id: z.int().nullable(),
  avatar_file_name: z.string().nullable(),
  status_id: z.int().nullable(),
});
export type Vehicle = z.output<typeof Vehicle>;

type RelatedNames = { tracker_label: string | null; garage_organization_name: string | null };

/** Converts the rows of a vehicle, its tracker and its garage to a vehicle as answers contain it. */
export function toVehicle(row: VehicleColumns, { tracker_label, garage_organization_name }: RelatedNames): Vehicle {
  return {
    ...row,
    tracker_label: tracker_label ?? undefined,
    garage_organization_name: garage_organization_name ?? undefined,
  };
}

/** The columns of a vehicle's row that answers contain, with the ids of its tags. */
type VehicleColumns = Omit<VehicleRow, "account_id" | "revision" | "searched" | `${string}_folded`> & {
  tags: number[];
};

function requireSubtype({ type, subtype }: z.output<typeof Members>, context: z.RefinementCtx) {
  if (subtype === null || SUBTYPES[type].includes(subtype)) return;
  const message = `must be a subtype of ${type}: ${SUBTYPES[type].join(", ")}`;
  context.addIssue({ code: "custom", path: ["subtype"], message });
}
