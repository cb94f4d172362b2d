import type { Section } from "../../table/place/entity-layout.ts";

/** Built-in fields of every place. */
export const BUILT_IN = ["label", "location", "tags", "description"];

/** The stored sections without removed custom fields; new fields are appended to the last section. */
export function layoutOf(stored: Section[] | undefined, field_ids: number[]): Section[] {
  const fields = [...BUILT_IN, ...field_ids.map(String)];
  if (!stored) return [{ label: "Main", field_order: fields }];
  const placed = new Set(stored.flatMap(({ field_order }) => field_order));
  const added = fields.filter((name) => !placed.has(name));
  return stored.map(({ label, field_order }, index) => {
    const remaining = field_order.filter((name) => fields.includes(name));
    return { label, field_order: index === stored.length - 1 ? [...remaining, ...added] : remaining };
  });
}

/** Ids of the custom fields in the sections; undefined unless every built-in field is named, and each field once. */
export function fieldsIn(sections: Section[]): number[] | undefined {
  const names = sections.flatMap(({ field_order }) => field_order);
  const custom = names.filter((name) => !BUILT_IN.includes(name));
  const isWhole = BUILT_IN.every((name) => names.includes(name)) && new Set(names).size === names.length;
  return isWhole && custom.every((name) => /^[1-9]\d{0,14}$/.test(name)) ? custom.map(Number) : undefined;
}
