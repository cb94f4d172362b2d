import { z } from "zod";
import { location, text } from "#shared/operation/fields.ts";
import type { GarageRow } from "../../table/garage.ts";

export const NewGarage = z.object({
  organization_name: text(255),
  mechanic_name: text(255),
  dispatcher_name: text(255),
  location: location().optional(),
});
export type NewGarage = z.output<typeof NewGarage>;

/** What update takes: the whole garage; without a location it has none from then on. */
export const ChangedGarage = NewGarage.extend({ id: z.int() });

export const Garage = NewGarage.extend({ id: z.int() });
export type Garage = z.output<typeof Garage>;

export function toGarage({ id, organization_name, mechanic_name, dispatcher_name, location }: GarageRow): Garage {
  return { id, organization_name, mechanic_name, dispatcher_name, location: location ?? undefined };
}
