import { and, asc, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { isTaken } from "#shared/error/failure.ts";
import { recording } from "../../outbox/audit.ts";
import { customField } from "../../table/custom-field.ts";
import { place } from "../../table/place.ts";
import { type FieldInput, toCustomField } from "./schema.ts";

/** By id. */
export function selectFields(db: Database, principal: Principal) {
  return db.select().from(customField).where(visibleTo(principal, customField)).orderBy(asc(customField.id));
}

/** All of them or, where one cannot be, none; the answer is all that there are then. */
export async function putFields(
  db: Database,
  principal: Principal,
  fields: FieldInput[],
  deleteMissing: boolean,
  actor: Actor,
) {
  const { account_id } = principal;
  const listed = fields.filter(({ id }) => id !== null).map(toRow);
  const made = JSON.stringify(fields.filter(({ id }) => id === null).map(toRow));
  const own = visibleTo(principal, customField);
  const isListed = sql`${customField.id} IN (SELECT value ->> 'id' FROM json_each(${JSON.stringify(listed)}))`;
  const isOther = and(own, sql`NOT ${isListed}`);
  const { rows } = await write(db, {
    areOwn: demandOwn(own, listed),
    mayBe: demandFew(fields, deleteMissing ? sql`FALSE` : isOther),
    // Two may take each other's label: for a moment they have none that anybody could want.
    unlabeled: db
      .update(customField)
      .set({ label: sql`char(31) || ${customField.id}` })
      .where(and(own, isListed)),
    removed: deleteMissing ? removeFields(db, principal, isOther) : [],
    updated: db.update(customField).set(valuesIn(listed)).where(and(own, isListed)),
    inserted: db.insert(customField).select(
      sql`SELECT NULL, ${account_id}, value ->> 'label', value ->> 'type', value ->> 'required', value ->> 'description',
        value ->> 'responsible' FROM json_each(${made}) WHERE TRUE ORDER BY key`,
    ),
    recorded: recording(
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

/** The entity of an account has the account's id. */
export function requireEntity({ account_id }: Principal, entity_id: number) {
  if (entity_id !== account_id) throw new ApiError(201);
}

function demandOwn(own: SQL | undefined, listed: FieldRow[]) {
  const matching = sql`(SELECT count(*) FROM ${customField} JOIN json_each(${JSON.stringify(listed)}) AS listed
    ON listed.value ->> 'id' = ${customField.id} AND listed.value ->> 'type' = ${customField.type} WHERE ${own})`;
  return demand(sql`${matching} = ${listed.length}`, () =>
    invalid("fields", "must name fields of yours by their ids, each of the type that it has"),
  );
}

/** With the others that stay. */
function demandFew(fields: FieldInput[], isOther: SQL | undefined) {
  const responsible = fields.filter(({ type, params }) => type === "employee" && params?.responsible).length;
  const others = sql`SELECT count(*) FROM ${customField} WHERE ${isOther}`;
  const mayBe = and(
    sql`(${others} AND ${customField.responsible}) <= ${1 - responsible}`,
    sql`(${others}) <= ${MOST - fields.length}`,
  );
  return demand(mayBe, () => invalid("fields", `must be at most ${MOST} in all, one of them responsible`));
}

/** Places lose what they had in them. */
function removeFields(db: Database, principal: Principal, condition: SQL | undefined) {
  const removed = sql`SELECT ${customField.id} FROM ${customField} WHERE ${condition}`;
  const kept = sql`FROM json_each(${place.fields}) WHERE key NOT IN (${removed})`;
  const loses = sql`EXISTS (SELECT 1 FROM json_each(${place.fields}) WHERE key IN (${removed}))`;
  return [
    db
      .update(place)
      .set({
        fields: sql`(SELECT json_group_object(key, json(value)) ${kept})`,
        searched_fields: sql`(SELECT coalesce(group_concat(value ->> 'folded', char(10)), '') ${kept})`,
      })
      .where(visibleTo(principal, place, sql`EXISTS (${removed})`, loses)),
    db.delete(customField).where(condition),
  ];
}

function valuesIn(listed: FieldRow[]) {
  const value = (
    member: string,
  ) => sql`(SELECT listed.value ->> ${member} FROM json_each(${JSON.stringify(listed)}) AS listed
    WHERE listed.value ->> 'id' = ${customField.id})`;
  return {
    label: value("label"),
    required: value("required"),
    description: value("description"),
    responsible: value("responsible"),
  };
}

function toRow({ id, label, type, required, description, params }: FieldInput) {
  const responsible = type === "employee" && params?.responsible === true;
  return { id, label, type, required: required ? 1 : 0, description, responsible: responsible ? 1 : 0 };
}

type FieldRow = ReturnType<typeof toRow>;

function labelsOf(fields: FieldInput[]) {
  return fields.slice(0, 20).map(({ label }) => label.slice(0, 50));
}

const MOST = 100;
