import * as z from "zod";
import { changesOf } from "#shared/operation/changes.ts";
import { location, text } from "#shared/operation/fields.ts";
import type { GarageRow } from "../../table/vehicle/garage.ts";

export const NewGarage = z.object({
  organization_name: text(255),
  mechanic_name: text(255),
  dispatcher_name: text(255),
  location: location().nullable().default(null),
});
export type NewGarage = z.output<typeof NewGarage>;

export const ChangedGarage = changesOf(NewGarage).extend({ id: z.int() });
export type ChangedGarage = z.output<typeof ChangedGarage>;

/** `location` is absent for a garage without one. */
export const Garage = NewGarage.extend({ id: z.int(), location: location().optional() });
export type Garage = z.output<typeof Garage>;

export function toGarage({ id, organization_name, mechanic_name, dispatcher_name, location }: GarageRow): Garage {
  return { id, organization_name, mechanic_name, dispatcher_name, location: location ?? undefined };
}
