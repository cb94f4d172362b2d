import { type SQL, sql } from "drizzle-orm";
import type { SearchField, SearchFields } from "#shared/database/conditions.ts";
import { invalid } from "#shared/error/api-error.ts";
import type { CustomFieldRow } from "../table/custom-field.ts";
import { place } from "../table/place.ts";
import { SORTABLE, type SortableName } from "./list-queries.ts";

/** What conditions of places can name: their own members, and custom fields by their ids. */
export function searchFields(fields: CustomFieldRow[]): SearchFields {
  return { ...BUILT_IN, ...Object.fromEntries(fields.map((field) => [String(field.id), searchField(field)])) };
}

/** What is sorted by under the name: a member's, or the id of a custom field. */
export function sortedBy(name: string, fields: CustomFieldRow[]) {
  if (Object.hasOwn(SORTABLE, name)) return SORTABLE[name as SortableName];
  const field = fields.find(({ id }) => String(id) === name);
  if (!field) throw invalid("order_by", `must be one of ${Object.keys(SORTABLE).join(", ")}, or the id of a field`);
  return member(field, isNumber(field) ? "value" : "folded");
}

/** Whether a list's parameters may name custom fields, so that these must be read first. */
export function mayNameFields(order_by: string, conditions: unknown[] | null) {
  return !Object.hasOwn(SORTABLE, order_by) || (conditions?.length ?? 0) > 0;
}

function searchField(field: CustomFieldRow): SearchField {
  if (field.type === "employee") return { kind: "entity", id: member(field, "value"), folded: sql`''` };
  if (isNumber(field)) return { kind: "number", column: member(field, "value") };
  return { kind: "text", folded: member(field, "folded") };
}

function isNumber({ type }: CustomFieldRow) {
  return type === "decimal" || type === "integer" || type === "employee";
}

function member({ id }: CustomFieldRow, name: "value" | "folded"): SQL {
  return sql`json_extract(${place.fields}, ${`$."${id}".${name}`})`;
}

const BUILT_IN: SearchFields = {
  id: { kind: "number", column: place.id },
  label: { kind: "text", folded: place.label_folded },
  location: { kind: "text", folded: place.address_folded },
  description: { kind: "text", folded: place.description_folded },
  external_id: { kind: "text", folded: sql`coalesce(${place.external_id_folded}, '')` },
};
