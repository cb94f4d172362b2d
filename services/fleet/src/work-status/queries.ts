import { asc, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../outbox/audit.ts";
import { status } from "../table/work-status/status.ts";
import { demandFeature, listingExists } from "./listing/queries.ts";
import type { ChangedStatus, NewStatus, Status } from "./schema.ts";

/** The statuses of a list in order; an unknown list answers none. */
export async function selectStatuses(db: Database, principal: Principal, listing_id: number): Promise<Status[]> {
  const { statuses } = await read(db, {
    feature: demandFeature(principal),
    statuses: db
      .select({ id: status.id, label: status.label, color: status.color })
      .from(status)
      .where(visibleTo(principal, status, eq(status.listing_id, listing_id)))
      .orderBy(asc(status.position), asc(status.id))
      .limit(MAX_STATUSES_PER_LISTING),
  });
  return statuses;
}

/** Adds a status to the end of a list; 268 when the list is full. */
export async function insertStatus(
  db: Database,
  principal: Principal,
  listing_id: number,
  input: NewStatus,
  actor: Actor,
) {
  const { account_id } = principal;
  const ofListing = sql`FROM ${status} WHERE ${status.account_id} = ${account_id} AND ${status.listing_id} = ${listing_id}`;
  const { inserted } = await write(db, {
    feature: demandFeature(principal),
    listing: demand(listingExists(principal, listing_id), () => new ApiError(201)),
    quota: demand(sql`(SELECT count(*) ${ofListing}) < ${MAX_STATUSES_PER_LISTING}`, () => new ApiError(268)),
    inserted: db
      .insert(status)
      .values({
        ...input,
        account_id,
        listing_id,
        position: sql`(SELECT coalesce(max(${status.position}), -1) + 1 ${ofListing})`,
      })
      .returning({ id: status.id }),
    record: recordChange(db, actor, {
      is: ["status", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: input.label, listing_id },
    }),
  });
  return onlyRow(inserted).id;
}

export async function changeStatus(db: Database, principal: Principal, changes: ChangedStatus, actor: Actor) {
  const { id } = changes;
  const own = visibleTo(principal, status, eq(status.id, id));
  await write(db, {
    feature: demandFeature(principal),
    update: db.update(status).set(changes).where(own),
    status: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, {
      is: ["status", "update"],
      entry_id: id,
      payload: sql`SELECT json_object('label', ${status.label}) FROM ${status} WHERE ${own}`,
    }),
  });
}

export async function removeStatus(db: Database, principal: Principal, id: number, actor: Actor) {
  await write(db, {
    feature: demandFeature(principal),
    removal: db.delete(status).where(visibleTo(principal, status, eq(status.id, id))),
    status: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["status", "delete"], entry_id: id }),
  });
}

const MAX_STATUSES_PER_LISTING = 100;
