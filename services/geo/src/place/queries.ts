import { and, eq, exists, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { rowIf } from "#shared/database/rows.ts";
import { inOrder } from "#shared/database/tag-binding/queries.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { folded } from "#shared/text/folded.ts";
import { boxOf, padded } from "../grid/box.ts";
import { cellOf } from "../grid/cell.ts";
import { recording } from "../outbox/audit.ts";
import { customField } from "../table/custom-field.ts";
import { place, type StoredFields } from "../table/place.ts";
import { bindNew, noneRemoved, rebind, unbindRemoved } from "../tag-binding/queries.ts";
import { bindToMaker, unbindRemovedFromUsers } from "../visibility/queries.ts";
import { selectFields } from "./custom-field/queries.ts";
import { offenceOf } from "./fields.ts";
import { rowsOf, visiblePlaces } from "./list.ts";
import { type ChangedPlace, type GivenFields, type NewPlace, toPlace } from "./schema.ts";

/** What is given of custom fields, checked already but for whose they are. */
export type Fields = { given: GivenFields; stored: StoredFields; ignoreMissing: boolean };

/** How many the account may have is counted in the statement that inserts, as whose the fields are is looked up there. */
export async function insertPlace(db: Database, principal: Principal, input: NewPlace, fields: Fields, actor: Actor) {
  const { account_id, limits } = principal;
  const row = { ...rowOf(input), ...fieldsOf(fields.stored), account_id };
  const tags = inOrder(input.tags);
  const linked = noneRemoved(tags);
  const own = sql`SELECT count(*) FROM ${place} WHERE ${place.account_id} = ${account_id}`;
  const mayInsert = and(sql`(${own}) < ${limits.places}`, fit(account_id, fields), linked);
  const [[inserted], , known, [links]] = await db.batch([
    db
      .insert(place)
      .select(rowIf(place, row, mayInsert))
      .returning({ id: place.id }),
    recording(db, actor, { is: ["place", "create"], entry_id: sql`last_insert_rowid()`, payload: summaryOf(input) }),
    selectFields(db, principal),
    selectHolds(db, linked),
    ...bindToMaker(db, principal, "place", sql`(SELECT max(id) FROM ${place})`, actor.action_date),
    bindNew(db, principal, "place", place, tags),
  ]);
  if (inserted) return inserted.id;
  const { given, stored, ignoreMissing } = fields;
  throw offenceOf(given, stored, known, ignoreMissing) ?? (links?.holds ? new ApiError(268) : unknownTags());
}

/** Without fields those that it has stay. */
export async function changePlace(
  db: Database,
  principal: Principal,
  { id, ...input }: ChangedPlace,
  fields: Fields | undefined,
  actor: Actor,
) {
  const tags = inOrder(input.tags);
  const linked = noneRemoved(tags);
  const wanted = visiblePlaces(principal, eq(place.id, id));
  const mayChange = and(wanted, fields && fit(principal.account_id, fields), linked);
  const [, , , , found, known] = await db.batch([
    db
      .update(place)
      .set({ ...rowOf(input), ...(fields && fieldsOf(fields.stored)) })
      .where(mayChange),
    recording(db, actor, { is: ["place", "update"], entry_id: id, payload: summaryOf(input) }),
    ...rebind(db, principal, "place", id, tags, exists(db.select({ id: place.id }).from(place).where(mayChange))),
    db
      .select({ linked: sql<number>`${linked ?? sql`TRUE`}` })
      .from(place)
      .where(wanted),
    selectFields(db, principal),
  ]);
  const [row] = found;
  if (!row) throw new ApiError(201);
  if (!row.linked) throw unknownTags();
  const offence = fields && offenceOf(fields.given, fields.stored, known, fields.ignoreMissing);
  if (offence) throw offence;
}

export async function removePlace(db: Database, principal: Principal, id: number, actor: Actor) {
  const label = sql`json_object('label', ${place.label})`;
  const [[deleted]] = await db.batch([
    db
      .delete(place)
      .where(visiblePlaces(principal, eq(place.id, id)))
      .returning({ label }),
    recording(db, actor, { is: ["place", "delete"], entry_id: id }),
    unbindRemoved(db, "place", place, [id]),
    unbindRemovedFromUsers(db, "place", place, principal.account_id, [id]),
  ]);
  if (!deleted) throw new ApiError(201);
}

/** Another account's place is "not found" too: the answer must not reveal that it exists. */
export async function requirePlace(db: Database, principal: Principal, id: number) {
  const [row] = await rowsOf(db, { condition: visiblePlaces(principal, eq(place.id, id)), offset: 0 });
  if (!row) throw new ApiError(201);
  return toPlace(row);
}

/** That the fields are the account's, each of its type, and that none is missing that must be there. */
function fit(account_id: number, { given, stored, ignoreMissing }: Fields): SQL | undefined {
  const own = sql`${customField.account_id} = ${account_id}`;
  const entries = Object.entries(given).map(([id, { type }]) => ({ id: Number(id), type }));
  const filled = JSON.stringify(Object.keys(stored).map(Number));
  return and(
    sql`(SELECT count(*) FROM json_each(${JSON.stringify(entries)}) AS given JOIN ${customField}
      ON ${customField.id} = given.value ->> 'id' AND ${customField.type} = given.value ->> 'type'
      WHERE ${own}) = ${entries.length}`,
    ignoreMissing
      ? undefined
      : sql`NOT EXISTS (SELECT 1 FROM ${customField} WHERE ${own} AND ${customField.required}
          AND ${customField.id} NOT IN (SELECT value FROM json_each(${filled})))`,
  );
}

function selectHolds(db: Database, condition: SQL | undefined) {
  return db.select({ holds: sql<number>`${condition ?? sql`TRUE`}` }).from(sql`(SELECT 1)`);
}

function rowOf({ label, description, location, external_id, tags }: NewPlace) {
  const { lat, lng, address, radius } = location;
  const texts = {
    label_folded: folded(label),
    description_folded: folded(description),
    address_folded: folded(address),
    external_id_folded: external_id === null ? null : folded(external_id),
  };
  return {
    ...{ label, description, lat, lng, address, radius, external_id },
    ...texts,
    searched: Object.values(texts).join("\n"),
    cell: cellOf(padded(boxOf([location]), radius)),
    bytes: bytesOf([label, description, address, tags]) + FIXED_BYTES,
  };
}

function fieldsOf(stored: StoredFields) {
  const searched_fields = Object.values(stored).map(({ folded }) => folded);
  return { fields: stored, field_bytes: bytesOf(stored), searched_fields: searched_fields.join("\n") };
}

function bytesOf(value: unknown) {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** For the audit log. */
function summaryOf({ label }: NewPlace) {
  return { label };
}

function unknownTags() {
  return invalid("place.tags", "names a tag that does not exist");
}

/** Ids, numbers and names of members. */
const FIXED_BYTES = 500;
