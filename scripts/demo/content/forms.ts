import type { FleetClient } from "../../../clients/typescript/src/client.ts";
import { findOrCreate } from "../client.ts";

export type TemplateIds = { delivery: number; inspection: number };

/** The templates of the two forms that drivers fill in. */
export async function createTemplates(client: FleetClient): Promise<TemplateIds> {
  const { list } = await client.call("/form/template/list");
  const create = (template: typeof DELIVERY | typeof INSPECTION) =>
    findOrCreate(
      list,
      ({ label }) => label === template.label,
      () => client.call("/form/template/create", { template }),
    );
  return { delivery: await create(DELIVERY), inspection: await create(INSPECTION) };
}

export function deliveryValues(name: string, parcels: number) {
  return {
    name: { type: "text" as const, value: name },
    parcels: { type: "text" as const, value: String(parcels) },
    state: { type: "radio_group" as const, value_index: 0 },
  };
}

export function inspectionValues(stars: number, note: string) {
  return {
    clean: { type: "rating" as const, value: stars },
    note: { type: "text" as const, value: note },
  };
}

const TEXT = { type: "text" as const, min_length: 1, max_length: 200, required: true };

export const DELIVERY = {
  label: "Delivery note",
  description: "Filled in at the customer's door",
  submit_in_zone: false,
  default: true,
  fields: [
    { ...TEXT, id: "name", label: "Received by", description: "Name of the person at the door" },
    { ...TEXT, id: "parcels", label: "Parcels", description: "How many were handed over", max_length: 4 },
    {
      ...{
        id: "state",
        label: "State",
        description: "State of the goods",
        type: "radio_group" as const,
        required: true,
      },
      options: [{ label: "Undamaged" }, { label: "Damaged, accepted" }, { label: "Refused" }],
    },
    { id: "photos", label: "Photos", description: "Where the goods were left", type: "photo" as const, max_files: 3 },
  ],
};

const INSPECTION = {
  label: "Vehicle inspection",
  description: "Before the first trip of the day",
  submit_in_zone: false,
  default: false,
  fields: [
    { id: "clean", label: "Cleanliness", description: "Of the load space", type: "rating" as const, max_stars: 5 },
    { ...TEXT, id: "note", label: "Notes", description: "Damage, tyres, lights" },
  ],
};
