import { type SQL, sql } from "drizzle-orm";
import type { LinkNames } from "#shared/contract/fleet.ts";
import { type SearchField, type SearchFields, textsSought } from "#shared/database/conditions.ts";
import { invalid } from "#shared/error/api-error.ts";
import { foldText } from "#shared/text/fold.ts";
import type { CustomFieldRow } from "../table/place/custom-field.ts";
import { place } from "../table/place/place.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { SORTABLE, type SortableName } from "./list-queries.ts";

/** Data for search and order: custom fields, and names of tags and employees for the `texts` of the conditions. */
export type SearchNames = { account_id: number; fields: CustomFieldRow[]; texts: string[]; names: LinkNames };
export const NO_NAMES: LinkNames = { tags: [], employees: [] };

/** Fields that conditions can name: members of places, and custom fields by their ids. */
export function searchFields(naming: SearchNames): SearchFields {
  const custom = naming.fields.map((field) => [String(field.id), toSearchField(field, naming)]);
  return { ...BUILT_IN, [TAGS_FIELD]: tagField(naming), ...Object.fromEntries(custom) };
}

/** The column or expression to sort by: a member's name, or the id of a custom field. */
export function sortColumn(name: string, naming: SearchNames) {
  if (Object.hasOwn(SORTABLE, name)) return SORTABLE[name as SortableName];
  if (name === TAGS_FIELD) return tagNames(naming);
  const field = naming.fields.find(({ id }) => String(id) === name);
  const known = [...Object.keys(SORTABLE), TAGS_FIELD].join(", ");
  if (!field) throw invalid("order_by", `must be one of ${known}, or the id of a field`);
  return member(field, isNumber(field) ? "value" : "folded");
}

/** Whether a list's parameters may name custom fields, so that these must be read first. */
export function mayUseFields(order_by: string, conditions: unknown[] | null) {
  return !(Object.hasOwn(SORTABLE, order_by) || order_by === TAGS_FIELD) || (conditions?.length ?? 0) > 0;
}

/** The texts that names of employees are compared with, and whether names of employees or tags are needed at all. */
export function findNeededNames(order_by: string, conditions: unknown[] | null) {
  const texts = textsSought(conditions, (field) => /^\d+$/.test(field));
  const isNeeded =
    order_by === TAGS_FIELD || texts.length > 0 || textsSought(conditions, (field) => field === TAGS_FIELD).length > 0;
  return { texts, isNeeded };
}

function toSearchField(field: CustomFieldRow, { texts, names }: SearchNames): SearchField {
  if (field.type === "employee") {
    return {
      kind: "linked",
      isOneOf: (ids) => sql`${member(field, "value")} IN ${ids}`,
      named: (text) => names.employees[texts.indexOf(text)] ?? [],
    };
  }
  if (isNumber(field)) return { kind: "number", column: member(field, "value") };
  return { kind: "text", folded: member(field, "folded") };
}

function tagField({ account_id, names }: SearchNames): SearchField {
  return {
    kind: "linked",
    isOneOf: (ids) => sql`${place.id} IN (SELECT ${tagBinding.entity_id} FROM ${tagBinding}
      WHERE ${tagBinding.account_id} = ${account_id} AND ${tagBinding.entity_type} = 'place' AND ${tagBinding.tag_id} IN ${ids})`,
    named: (text) => names.tags.filter((tag) => tag.folded.includes(foldText(text))).map(({ id }) => id),
  };
}

/**
 * The names of a place's tags in one text; null without tags. The LIMIT makes SQLite materialize the names and index
 * them.
 */
function tagNames({ names }: SearchNames): SQL {
  const pairs = JSON.stringify(names.tags.map(({ id, folded }) => [id, folded]));
  const tags = sql`(SELECT value ->> 0 AS id, value ->> 1 AS name FROM json_each(${pairs}) LIMIT -1) AS named`;
  return sql`(SELECT group_concat(name, char(10)) FROM (SELECT named.name AS name FROM ${tagBinding}
    JOIN ${tags} ON named.id = ${tagBinding.tag_id}
    WHERE ${tagBinding.entity_type} = 'place' AND ${tagBinding.entity_id} = ${PLACE_ID} ORDER BY ${tagBinding.ordinal}))`;
}

function isNumber({ type }: CustomFieldRow) {
  return type === "decimal" || type === "integer" || type === "employee";
}

function member({ id }: CustomFieldRow, name: "value" | "folded"): SQL {
  return sql`json_extract(${place.fields}, ${`$."${id}".${name}`})`;
}

const TAGS_FIELD = "tags";
/** In a subquery drizzle would leave out the table's name. */
const PLACE_ID = sql.raw('"place"."id"');

const BUILT_IN: SearchFields = {
  id: { kind: "number", column: place.id },
  label: { kind: "text", folded: place.label_folded },
  location: { kind: "text", folded: place.address_folded },
  description: { kind: "text", folded: place.description_folded },
  external_id: { kind: "text", folded: sql`coalesce(${place.external_id_folded}, '')` },
};
