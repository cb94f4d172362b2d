import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { isThere, onlyRow } from "#shared/database/rows.ts";
import { demand, demandChange, outdatedError, write } from "#shared/database/steps.ts";
import { toBindings } from "#shared/database/tag-binding/queries.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { foldText } from "#shared/text/fold.ts";
import { recordChange } from "../audit-outbox.ts";
import { customField } from "../table/place/custom-field.ts";
import { place, type StoredFields } from "../table/place/place.ts";
import { boxOf, padBox } from "../zone/grid/box.ts";
import { cellOf } from "../zone/grid/cell.ts";
import { deleteRemovedBindings, demandTags, insertBindings, replaceBindings } from "../zone/tag-queries.ts";
import { bindToCreator, unbindRemovedFromUsers } from "../zone/visible-queries.ts";
import { selectFields } from "./custom-field/queries.ts";
import { findOffence } from "./fields.ts";
import { PLACE_COLUMNS, selectPlaceRows, visiblePlaces } from "./list-queries.ts";
import { type FieldValues, type NewPlace, toPlace } from "./schema.ts";

/** Custom field values of a place. Their types are checked; whether the fields are the account's is not. */
export type PlaceFields = {
  values: FieldValues;
  stored: StoredFields;
  /** Which required fields must have a value: all, none, or those named in `values`. */
  needed: "all" | "none" | "named";
};

export async function insertPlace(
  db: Database,
  principal: Principal,
  input: NewPlace,
  fields: PlaceFields,
  actor: Actor,
) {
  const { account_id } = principal;
  const tags = toBindings(input.tags);
  const { inserted } = await write(db, {
    areFields: demandFields(account_id, fields),
    areTags: demandTags("place", tags),
    hasQuota: demandQuota(principal, "places", place),
    inserted: db
      .insert(place)
      .values({ ...toColumns(input), ...toFieldColumns(fields.stored), account_id })
      .returning({ id: place.id }),
    recorded: recordChange(db, actor, {
      is: ["place", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: summaryOf(input),
    }),
    shown: bindToCreator(db, principal, "place", sql`(SELECT max(id) FROM ${place})`, actor.action_date),
    bound: insertBindings(db, principal, "place", place, tags),
  }).catch(explainMisfit(db, principal, fields));
  return onlyRow(inserted).id;
}

/** The place with internal columns, for an update. */
export async function requireCurrentPlace(db: Database, principal: Principal, id: number) {
  const own = visiblePlaces(principal, eq(place.id, id));
  const [row] = await db
    .select({ ...PLACE_COLUMNS, revision: place.revision })
    .from(place)
    .where(own);
  if (!row) throw new ApiError(201);
  const { lat, lng, address, radius, label, description, tags, external_id, revision } = row;
  const members = { label, description, tags, external_id, location: { lat, lng, address, radius } };
  return { revision, fields: row.fields, members };
}

type PlaceChange = { id: number; revision: number; members: NewPlace; tags: number[] | undefined };

/** Updates a place unless it changed since `revision` was read. Undefined tags and fields stay. */
export async function changePlace(
  db: Database,
  principal: Principal,
  { id, revision, members, tags: given }: PlaceChange,
  fields: PlaceFields | undefined,
  actor: Actor,
) {
  const own = visiblePlaces(principal, eq(place.id, id));
  const tags = given && toBindings(given);
  await write(db, {
    isCurrent: demand(isThere(place, and(own, eq(place.revision, revision))), outdatedError),
    areTags: tags && demandTags("place", tags),
    areFields: fields && demandFields(principal.account_id, fields),
    updated: db
      .update(place)
      .set({ ...toColumns(members), ...(fields && toFieldColumns(fields.stored)) })
      .where(own),
    recorded: recordChange(db, actor, { is: ["place", "update"], entry_id: id, payload: summaryOf(members) }),
    bound: tags && replaceBindings(db, principal, "place", id, tags),
  }).catch(explainMisfit(db, principal, fields));
}

export async function removePlace(db: Database, principal: Principal, id: number, actor: Actor) {
  await write(db, {
    removed: db.delete(place).where(visiblePlaces(principal, eq(place.id, id))),
    isRemoved: demandChange(() => new ApiError(201)),
    recorded: recordChange(db, actor, { is: ["place", "delete"], entry_id: id }),
    unbound: deleteRemovedBindings(db, "place", place, [id]),
    hidden: unbindRemovedFromUsers(db, "place", place, principal.account_id, [id]),
  });
}

/** Another account's place is "not found" too: the answer must not reveal that it exists. */
export async function requirePlace(db: Database, principal: Principal, id: number) {
  const [row] = await selectPlaceRows(db, { condition: visiblePlaces(principal, eq(place.id, id)), offset: 0 });
  if (!row) throw new ApiError(201);
  return toPlace(row);
}

/** Demands that the fields are the account's, have the right types, and that no required one is missing. */
function demandFields(account_id: number, fields: PlaceFields) {
  const { values, stored, needed } = fields;
  const own = sql`${customField.account_id} = ${account_id}`;
  const entries = Object.entries(values).map(([id, field]) => ({ id: Number(id), type: field?.type }));
  const filled = JSON.stringify(Object.keys(stored).map(Number));
  const isNamed = sql`${customField.id} IN (SELECT value ->> 'id' FROM json_each(${JSON.stringify(entries)}))`;
  const fit = sql`(SELECT count(*) FROM json_each(${JSON.stringify(entries)}) AS entry JOIN ${customField}
    ON ${customField.id} = entry.value ->> 'id' AND ${customField.type} = coalesce(entry.value ->> 'type', ${customField.type})
    WHERE ${own}) = ${entries.length}`;
  const nothingMissing = sql`NOT EXISTS (SELECT 1 FROM ${customField} WHERE ${own} AND ${customField.required}
    AND ${needed === "named" ? isNamed : sql`TRUE`}
    AND ${customField.id} NOT IN (SELECT value FROM json_each(${filled})))`;
  return demand(and(fit, needed === "none" ? undefined : nothingMissing), () => new FieldMisfit());
}

/** Thrown when a custom field does not fit; finding out which one takes the account's fields. */
class FieldMisfit extends Error {}

/**
 * Reads the account's fields only after the write was refused. If nothing is wrong by then, the caller must repeat the
 * call (14).
 */
function explainMisfit(db: Database, principal: Principal, fields: PlaceFields | undefined) {
  return async (thrown: unknown): Promise<never> => {
    if (!fields || !(thrown instanceof FieldMisfit)) throw thrown;
    const { values, stored, needed } = fields;
    const isNeeded = (id: string) => needed === "all" || (needed === "named" && Object.hasOwn(values, id));
    throw findOffence(values, stored, await selectFields(db, principal), isNeeded) ?? new ApiError(14);
  };
}

/** Columns of the members that callers may set. */
export function toColumns({ label, description, location, external_id: given, tags }: NewPlace) {
  const external_id = given || null;
  const { lat, lng, address, radius } = location;
  const texts = {
    label_folded: foldText(label),
    description_folded: foldText(description),
    address_folded: foldText(address),
    external_id_folded: external_id === null ? null : foldText(external_id),
  };
  return {
    ...{ label, description, lat, lng, address, radius, external_id },
    ...texts,
    searched: Object.values(texts).join("\n"),
    cell: cellOf(padBox(boxOf([location]), radius)),
    bytes: bytesOf([label, description, address, tags]) + MAX_FIXED_BYTES,
  };
}

export function toFieldColumns(stored: StoredFields) {
  const searched_fields = Object.values(stored).map(({ folded }) => folded);
  return { fields: stored, field_bytes: bytesOf(stored), searched_fields: searched_fields.join("\n") };
}

function bytesOf(value: unknown) {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** The payload of a record in the audit log. */
export function summaryOf({ label }: NewPlace) {
  return { label };
}

/** Size of ids, numbers and member names in an answer. */
const MAX_FIXED_BYTES = 500;
