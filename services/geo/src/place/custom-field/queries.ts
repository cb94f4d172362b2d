import { and, asc, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { isTaken } from "#shared/error/failure.ts";
import { recordChange } from "../../audit-outbox.ts";
import { customField } from "../../table/place/custom-field.ts";
import { place } from "../../table/place/place.ts";
import { type FieldInput, NewField, toCustomField } from "./schema.ts";

/** The account's custom fields by id. */
export function selectFields(db: Database, principal: Principal) {
  return db.select().from(customField).where(visibleTo(principal, customField)).orderBy(asc(customField.id));
}

/** Creates and updates fields, all or none of them; answers all fields of the account. */
export async function putFields(
  db: Database,
  principal: Principal,
  fields: FieldInput[],
  deleteMissing: boolean,
  actor: Actor,
) {
  const { account_id } = principal;
  const listed = fields.filter(({ id }) => id !== null).map(toRow);
  const newFields = JSON.stringify(fields.filter(({ id }) => id === null).map((field) => toRow(toNewField(field))));
  const own = visibleTo(principal, customField);
  const isListed = sql`${customField.id} IN (SELECT value ->> 'id' FROM json_each(${JSON.stringify(listed)}))`;
  const isOther = and(own, sql`NOT ${isListed}`);
  const labelled = JSON.stringify(listed.filter(({ label }) => label !== undefined).map(({ id }) => id));
  const { rows } = await write(db, {
    areOwn: demandOwn(own, listed),
    // Two fields may swap labels: for a moment all have labels that no caller can choose.
    unlabeled: db
      .update(customField)
      .set({ label: sql`char(31) || ${customField.id}` })
      .where(and(own, sql`${customField.id} IN (SELECT value FROM json_each(${labelled}))`)),
    removed: deleteMissing ? removeFields(db, principal, isOther) : [],
    updated: db.update(customField).set(toValues(listed)).where(and(own, isListed)),
    inserted: db.insert(customField).select(
      sql`SELECT NULL, ${account_id}, value ->> 'label', value ->> 'type', value ->> 'required', value ->> 'description',
        coalesce(value ->> 'type' = 'employee' AND value ->> 'responsible', FALSE) FROM json_each(${newFields}) WHERE TRUE ORDER BY key`,
    ),
    areFew: demandFew(own),
    recorded: recordChange(
      db,
      actor,
      { is: ["custom_field", "update"], entry_id: account_id, payload: { labels: labelsOf(fields) } },
      sql`TRUE`,
    ),
    rows: selectFields(db, principal),
  }).catch((thrown) => {
    throw isTaken(thrown) ? invalid("fields", "must have labels that differ") : thrown;
  });
  return rows.map(toCustomField);
}

/** The entity's id is the account's id. */
export function requireEntity({ account_id }: Principal, entity_id: number) {
  if (entity_id !== account_id) throw new ApiError(201);
}

function demandOwn(own: SQL | undefined, listed: FieldRow[]) {
  const existing = sql`(SELECT count(*) FROM ${customField} JOIN json_each(${JSON.stringify(listed)}) AS listed
    ON listed.value ->> 'id' = ${customField.id}
    AND coalesce(listed.value ->> 'type', ${customField.type}) = ${customField.type} WHERE ${own})`;
  return demand(sql`${existing} = ${listed.length}`, () =>
    invalid("fields", "must name fields of yours by their ids, each of the type that it has"),
  );
}

/** Demands that the account has not too many fields; runs after the changes. */
function demandFew(own: SQL | undefined) {
  const counted = sql`SELECT count(*) FROM ${customField} WHERE ${own}`;
  const mayBe = sql`(${counted}) <= ${MAX_FIELDS} AND (${counted} AND ${customField.responsible}) <= 1`;
  return demand(mayBe, () => invalid("fields", `must be at most ${MAX_FIELDS} in all, one of them responsible`));
}

/** Deletes fields and their values in all places. */
function removeFields(db: Database, principal: Principal, condition: SQL | undefined) {
  const removed = sql`SELECT ${customField.id} FROM ${customField} WHERE ${condition}`;
  const remaining = sql`FROM json_each(${place.fields}) WHERE key NOT IN (${removed})`;
  const loses = sql`EXISTS (SELECT 1 FROM json_each(${place.fields}) WHERE key IN (${removed}))`;
  return [
    db
      .update(place)
      .set({
        fields: sql`(SELECT json_group_object(key, json(value)) ${remaining})`,
        searched_fields: sql`(SELECT coalesce(group_concat(value ->> 'folded', char(10)), '') ${remaining})`,
      })
      .where(visibleTo(principal, place, sql`EXISTS (${removed})`, loses)),
    db.delete(customField).where(condition),
  ];
}

/** New values of fields: members that are left out stay; only employee fields can be `responsible`. */
function toValues(listed: FieldRow[]) {
  const value = (member: "label" | "required" | "description" | "responsible") => sql`coalesce(
    (SELECT listed.value ->> ${member} FROM json_each(${JSON.stringify(listed)}) AS listed
      WHERE listed.value ->> 'id' = ${customField.id}), ${customField[member]})`;
  return {
    required: value("required"),
    description: value("description"),
    responsible: sql`iif(${customField.type} = 'employee', ${value("responsible")}, FALSE)`,
    label: value("label"),
  };
}

function toNewField(field: FieldInput): FieldInput {
  return { ...NewField.parse(field), id: null };
}

function toRow({ id, label, type, required, description, params }: FieldInput) {
  return { id, label, type, required: toBit(required), description, responsible: toBit(params?.responsible) };
}

function toBit(value: boolean | undefined) {
  return value === undefined ? undefined : Number(value);
}

type FieldRow = ReturnType<typeof toRow>;

function labelsOf(fields: FieldInput[]) {
  return fields.slice(0, 20).flatMap(({ label }) => label?.slice(0, 50) ?? []);
}

const MAX_FIELDS = 100;
