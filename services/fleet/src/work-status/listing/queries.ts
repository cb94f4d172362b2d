import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere, onlyRow } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type Page, pageAfter } from "#shared/operation/list-answer.ts";
import { recordChange } from "../../outbox/audit.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { status } from "../../table/work-status/status.ts";
import { statusListing } from "../../table/work-status/status-listing.ts";
import { isOffered } from "../../tariff/feature-queries.ts";
import type { ChangedStatusListing, NewStatusListing, StatusListing } from "./schema.ts";

/** All lists by id, in pages. */
export async function selectListings(db: Database, principal: Principal, after = 0): Promise<Page<StatusListing>> {
  const { listings } = await read(db, {
    feature: demandFeature(principal),
    listings: db
      .select({
        id: statusListing.id,
        label: statusListing.label,
        employee_controlled: statusListing.employee_controlled,
        supervisor_controlled: statusListing.supervisor_controlled,
        entries: entriesOf(statusListing.id),
      })
      .from(statusListing)
      .where(visibleTo(principal, statusListing, gt(statusListing.id, after)))
      .orderBy(asc(statusListing.id))
      .limit(MAX_ROWS_PER_PAGE),
  });
  return pageAfter(listings, {
    size: MAX_ROWS_PER_PAGE,
    toItem: (listing) => listing,
    next: (last) => selectListings(db, principal, last),
  });
}

/** Creates a list; 268 when the account has `MAX_LISTINGS_PER_ACCOUNT`. */
export async function insertListing(db: Database, principal: Principal, listing: NewStatusListing, actor: Actor) {
  const { account_id } = principal;
  const own = sql`SELECT count(*) FROM ${statusListing} WHERE ${statusListing.account_id} = ${account_id}`;
  const { inserted } = await write(db, {
    feature: demandFeature(principal),
    quota: demand(sql`(${own}) < ${MAX_LISTINGS_PER_ACCOUNT}`, () => new ApiError(268)),
    inserted: db
      .insert(statusListing)
      .values({ ...listing, account_id })
      .returning({ id: statusListing.id }),
    record: recordChange(db, actor, {
      is: ["status_listing", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: listing.label },
    }),
  });
  return onlyRow(inserted).id;
}

/** Changes a list. `entries`, if given, must name all of its statuses once (262): they become its order. */
export async function changeListing(
  db: Database,
  principal: Principal,
  { entries, ...changes }: ChangedStatusListing,
  actor: Actor,
) {
  const { id } = changes;
  const own = visibleTo(principal, statusListing, eq(statusListing.id, id));
  const orderedEntries = sql`json_each(${JSON.stringify(entries ?? [])})`;
  const ofListing = and(eq(status.account_id, principal.account_id), eq(status.listing_id, id));
  const isWhole =
    entries &&
    sql`(SELECT count(*) FROM ${status} WHERE ${ofListing}) = ${entries.length}
      AND (SELECT count(DISTINCT value) FROM ${orderedEntries} JOIN ${status} ON ${status.id} = value WHERE ${ofListing}) = ${entries.length}`;
  await write(db, {
    feature: demandFeature(principal),
    listing: demand(isThere(statusListing, own), () => new ApiError(201)),
    entries: demand(isWhole, () => new ApiError(262)),
    update: db.update(statusListing).set(changes).where(own),
    record: recordChange(db, actor, {
      is: ["status_listing", "update"],
      entry_id: id,
      payload: sql`SELECT json_object('label', ${statusListing.label}) FROM ${statusListing} WHERE ${own}`,
    }),
    order:
      entries &&
      db
        .update(status)
        .set({ position: sql`(SELECT key FROM ${orderedEntries} WHERE value = ${status.id})` })
        .where(ofListing),
  });
}

/** Deletes a list with its statuses; trackers that had it have no list then. */
export async function removeListing(db: Database, principal: Principal, id: number, actor: Actor) {
  const { account_id } = principal;
  await write(db, {
    feature: demandFeature(principal),
    removal: db.delete(statusListing).where(visibleTo(principal, statusListing, eq(statusListing.id, id))),
    listing: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["status_listing", "delete"], entry_id: id }),
    statuses: db.delete(status).where(and(eq(status.account_id, account_id), eq(status.listing_id, id))),
    devices: db
      .update(source)
      .set({ status_listing_id: null })
      .where(and(eq(source.account_id, account_id), eq(source.status_listing_id, id))),
  });
}

/** Gives a tracker a list, or takes it away with null. The list is stored with the device. */
export async function assignListing(
  db: Database,
  principal: Principal,
  tracker_id: number,
  listing_id: number | null,
  actor: Actor,
) {
  const exists = listing_id === null ? undefined : listingExists(principal, listing_id);
  const own = sql`(SELECT ${tracker.source_id} FROM ${tracker} WHERE ${tracker.id} = ${tracker_id} AND NOT ${tracker.clone})`;
  await write(db, {
    listing: demand(exists, () => new ApiError(201)),
    update: db
      .update(source)
      .set({ status_listing_id: listing_id })
      .where(and(eq(source.account_id, principal.account_id), eq(source.id, own))),
    tracker: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, {
      is: ["status_listing", "assign"],
      entry_id: listing_id,
      payload: { tracker_id },
    }),
  });
}

/** Demands that the tariff of one of the account's trackers has work statuses (236). */
export function demandFeature(principal: Principal) {
  return demand(isOffered("statuses", principal), () => new ApiError(236));
}

export function listingExists(principal: Principal, id: number): SQL {
  return isThere(statusListing, visibleTo(principal, statusListing, eq(statusListing.id, id)));
}

function entriesOf(id: typeof statusListing.id) {
  const ordered = sql`SELECT ${status.id} AS entry FROM ${status} WHERE ${status.account_id} = ${statusListing.account_id}
    AND ${status.listing_id} = ${id} ORDER BY ${status.position}, ${status.id}`;
  return sql<number[]>`(SELECT json_group_array(entry) FROM (${ordered}))`.mapWith(JSON.parse);
}

const MAX_LISTINGS_PER_ACCOUNT = 100;
const MAX_ROWS_PER_PAGE = 100;
