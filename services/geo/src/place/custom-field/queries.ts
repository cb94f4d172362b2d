import { and, asc, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { isTaken } from "#shared/error/failure.ts";
import { recording } from "../../outbox/audit.ts";
import { customField } from "../../table/custom-field.ts";
import { forgetFields } from "./forget.ts";
import { type GivenField, toCustomField } from "./schema.ts";

/** For a batch: by id. */
export function selectFields(db: Database, principal: Principal) {
  return db.select().from(customField).where(visibleTo(principal, customField)).orderBy(asc(customField.id));
}

/** All that are given or, where one cannot be, none; the answer is all that there are then. */
export async function putFields(
  db: Database,
  principal: Principal,
  given: GivenField[],
  deleteMissing: boolean,
  actor: Actor,
) {
  const { account_id } = principal;
  const [known, fresh] = [given.filter(({ id }) => id !== null), given.filter(({ id }) => id === null)].map((fields) =>
    JSON.stringify(fields.map(toRow)),
  );
  const own = eq(customField.account_id, account_id);
  const listed = sql`${customField.id} IN (SELECT value ->> 'id' FROM json_each(${known}))`;
  const isKept = deleteMissing ? listed : sql`TRUE`;
  const matching = sql`SELECT count(*) FROM ${customField} JOIN json_each(${known}) AS given
    ON given.value ->> 'id' = ${customField.id} AND given.value ->> 'type' = ${customField.type} WHERE ${own}`;
  const responsible = given.filter(({ type, params }) => type === "employee" && params?.responsible).length;
  const others = sql`SELECT count(*) FROM ${customField} WHERE ${own} AND ${isKept} AND NOT ${listed}`;
  // What it looks at stays true while the statements behind it run.
  const mayChange = and(
    sql`(${matching}) = ${given.filter(({ id }) => id !== null).length}`,
    sql`(${others} AND ${customField.responsible}) <= ${1 - responsible}`,
    sql`(${others}) <= ${MOST - given.length}`,
  );
  const gone = and(own, sql`NOT ${listed}`, deleteMissing ? mayChange : sql`FALSE`);
  const value = (member: string) => sql`(SELECT given.value ->> ${member} FROM json_each(${known}) AS given
    WHERE given.value ->> 'id' = ${customField.id})`;
  const [, [checked], , , , , , rows] = await db
    .batch([
      recording(
        db,
        actor,
        { is: ["custom_field", "update"], entry_id: account_id, payload: { labels: labelsOf(given) } },
        mayChange,
      ),
      db.select({ ok: sql<number>`${mayChange}`, matching: sql<number>`(${matching})` }).from(sql`(SELECT 1)`),
      // Two may take each other's label: for a moment they have none that anybody could want.
      db
        .update(customField)
        .set({ label: sql`char(31) || ${customField.id}` })
        .where(and(own, listed, mayChange)),
      forgetFields(db, account_id, sql`SELECT ${customField.id} FROM ${customField} WHERE ${gone}`),
      db.delete(customField).where(gone),
      db
        .update(customField)
        .set({
          label: value("label"),
          required: value("required"),
          description: value("description"),
          responsible: value("responsible"),
        })
        .where(and(own, listed, mayChange)),
      db.insert(customField).select(
        sql`SELECT NULL, ${account_id}, value ->> 'label', value ->> 'type', value ->> 'required', value ->> 'description',
          value ->> 'responsible' FROM json_each(${fresh}) WHERE ${mayChange} ORDER BY key`,
      ),
      selectFields(db, principal),
    ])
    .catch((thrown) => {
      throw isTaken(thrown) ? invalid("fields", "must have labels that differ") : thrown;
    });
  if (!checked?.ok) throw refusal(checked?.matching === given.filter(({ id }) => id !== null).length);
  return rows.map(toCustomField);
}

/** The entity of an account has the account's id. */
export function requireEntity({ account_id }: Principal, entity_id: number) {
  if (entity_id !== account_id) throw new ApiError(201);
}

function refusal(areKnown: boolean) {
  if (!areKnown) return invalid("fields", "must name fields of yours by their ids, each of the type that it has");
  return invalid("fields", `must be at most ${MOST} in all, one of them responsible`);
}

function toRow({ id, label, type, required, description, params }: GivenField) {
  const responsible = type === "employee" && params?.responsible === true;
  return { id, label, type, required: required ? 1 : 0, description, responsible: responsible ? 1 : 0 };
}

function labelsOf(given: GivenField[]) {
  return given.slice(0, 20).map(({ label }) => label.slice(0, 50));
}

const MOST = 100;
