import { asc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { isThere, onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type Page, pageAfter } from "#shared/operation/list-answer.ts";
import { foldText } from "#shared/text/fold.ts";
import { recordChange } from "../../outbox/audit.ts";
import { garage } from "../../table/vehicle/garage.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";
import { type ChangedGarage, type Garage, type NewGarage, toGarage } from "./schema.ts";

/** All garages by id, in pages. */
export async function selectGarages(db: Database, principal: Principal, after = 0): Promise<Page<Garage>> {
  const rows = await db
    .select()
    .from(garage)
    .where(visibleTo(principal, garage, gt(garage.id, after)))
    .orderBy(asc(garage.id))
    .limit(MAX_ROWS_PER_PAGE);
  return pageAfter(rows, {
    size: MAX_ROWS_PER_PAGE,
    toItem: toGarage,
    next: (last) => selectGarages(db, principal, last),
  });
}

/** The query for the garages with exactly these organization names. */
export function selectByOrganizations(db: Database, principal: Principal, names: string[]) {
  return db
    .select({ id: garage.id, label: garage.organization_name })
    .from(garage)
    .where(visibleTo(principal, garage, among(garage.organization_name, names)));
}

export async function insertGarage(db: Database, principal: Principal, input: NewGarage, actor: Actor) {
  const { account_id } = principal;
  const { inserted } = await write(db, {
    quota: demandQuota(principal, "garages", garage),
    inserted: db
      .insert(garage)
      .values({ ...input, organization_name_folded: foldText(input.organization_name), account_id })
      .returning({ id: garage.id }),
    record: recordChange(db, actor, {
      is: ["garage", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { organization_name: input.organization_name },
    }),
  });
  return onlyRow(inserted).id;
}

export async function changeGarage(
  db: Database,
  principal: Principal,
  { id, ...changes }: ChangedGarage,
  actor: Actor,
) {
  const own = visibleTo(principal, garage, eq(garage.id, id));
  await write(db, {
    update: db
      .update(garage)
      .set({ id, ...rowOf(changes) })
      .where(own),
    garage: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, {
      is: ["garage", "update"],
      entry_id: id,
      payload: sql`SELECT json_object('organization_name', ${garage.organization_name}) FROM ${garage} WHERE ${own}`,
    }),
  });
}

/** Deletes a garage. Its vehicles stay without one, including those whose trackers are hidden from the caller. */
export async function removeGarage(db: Database, principal: Principal, id: number, actor: Actor) {
  await write(db, {
    removal: db.delete(garage).where(visibleTo(principal, garage, eq(garage.id, id))),
    garage: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["garage", "delete"], entry_id: id }),
    vehicles: db
      .update(vehicle)
      .set({ garage_id: null })
      .where(visibleTo({ ...principal, scope: "all" }, vehicle, eq(vehicle.garage_id, id))),
  });
}

/** Condition: the garage exists; undefined for null. */
export function garageExists(principal: Principal, id: number | null): SQL | undefined {
  if (id === null) return undefined;
  return isThere(garage, visibleTo(principal, garage, eq(garage.id, id)));
}

/** The columns that a change sets. */
function rowOf(changes: Omit<ChangedGarage, "id">) {
  const { organization_name } = changes;
  return { ...changes, organization_name_folded: organization_name && foldText(organization_name) };
}

/** A page of the longest rows is some 5 MB. */
const MAX_ROWS_PER_PAGE = 1000;
