import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { rowIf, selectWhether } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { recording } from "../../outbox/audit.ts";
import { source } from "../../table/source.ts";
import { status } from "../../table/status.ts";
import { statusListing } from "../../table/status-listing.ts";
import { tracker } from "../../table/tracker.ts";
import { someHave } from "../../tariff/feature-queries.ts";
import type { NewStatusListing, StatusListing } from "./schema.ts";

/** All of them by id, page after page. */
export async function selectListings(db: Database, principal: Principal, after = 0): Promise<Page<StatusListing>> {
  const [items, [feature]] = await db.batch([
    db
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
      .limit(PAGE),
    selectWhether(db, someHave("statuses", principal)),
  ]);
  if (!feature?.holds) throw new ApiError(236);
  const last = items.at(-1);
  const full = items.length === PAGE && last;
  return { items, next: full ? () => selectListings(db, principal, last.id) : undefined };
}

/** How many the account may have is counted in the statement that inserts. */
export async function insertListing(db: Database, principal: Principal, listing: NewStatusListing, actor: Actor) {
  const { account_id } = principal;
  const allowed = someHave("statuses", principal);
  const own = sql`SELECT count(*) FROM ${statusListing} WHERE ${statusListing.account_id} = ${account_id}`;
  const [[inserted], , [feature]] = await db.batch([
    db
      .insert(statusListing)
      .select(rowIf(statusListing, { ...listing, account_id }, and(allowed, sql`(${own}) < ${MOST_LISTINGS}`)))
      .returning({ id: statusListing.id }),
    recording(db, actor, {
      is: ["status_listing", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: listing.label },
    }),
    selectWhether(db, allowed),
  ]);
  if (!feature?.holds) throw new ApiError(236);
  if (!inserted) throw new ApiError(268);
  return inserted.id;
}

/** The entries must be all of its statuses, each once. */
export async function updateListing(
  db: Database,
  principal: Principal,
  { id, entries, ...listing }: StatusListing,
  actor: Actor,
) {
  const wanted = visibleTo(principal, statusListing, eq(statusListing.id, id));
  const allowed = someHave("statuses", principal);
  const given = JSON.stringify(entries);
  const ofListing = and(eq(status.account_id, principal.account_id), eq(status.listing_id, id));
  const whole = sql`(SELECT count(*) FROM ${status} WHERE ${ofListing}) = ${entries.length}
    AND (SELECT count(DISTINCT value) FROM json_each(${given}) JOIN ${status} ON ${status.id} = value WHERE ${ofListing}) = ${entries.length}`;
  const [updated, , , known, [feature]] = await db.batch([
    db
      .update(statusListing)
      .set(listing)
      .where(and(wanted, allowed, whole))
      .returning({ id: statusListing.id }),
    recording(db, actor, { is: ["status_listing", "update"], entry_id: id, payload: { label: listing.label } }),
    db
      .update(status)
      .set({ position: sql`(SELECT key FROM json_each(${given}) WHERE value = ${status.id})` })
      .where(and(ofListing, allowed, whole)),
    db.select({ id: statusListing.id }).from(statusListing).where(wanted),
    selectWhether(db, allowed),
  ]);
  if (!feature?.holds) throw new ApiError(236);
  if (known.length === 0) throw new ApiError(201);
  if (updated.length === 0) throw new ApiError(262);
}

/** With its statuses; trackers that had it have none. */
export async function deleteListing(db: Database, principal: Principal, id: number, actor: Actor) {
  const allowed = someHave("statuses", principal);
  const gone = sql`NOT EXISTS (SELECT 1 FROM ${statusListing} WHERE ${statusListing.id} = ${id})`;
  const [deleted, , , , [feature]] = await db.batch([
    db
      .delete(statusListing)
      .where(visibleTo(principal, statusListing, eq(statusListing.id, id), allowed))
      .returning({ id: statusListing.id }),
    recording(db, actor, { is: ["status_listing", "delete"], entry_id: id }),
    db.delete(status).where(and(eq(status.account_id, principal.account_id), eq(status.listing_id, id), gone)),
    db
      .update(source)
      .set({ status_listing_id: null })
      .where(and(eq(source.account_id, principal.account_id), eq(source.status_listing_id, id), gone)),
    selectWhether(db, allowed),
  ]);
  if (!feature?.holds) throw new ApiError(236);
  if (deleted.length === 0) throw new ApiError(201);
}

/** Whether there is the list is settled in the statement that gives it to the tracker's device. */
export async function assignListing(
  db: Database,
  principal: Principal,
  tracker_id: number,
  listing_id: number | null,
  actor: Actor,
) {
  const exists = listing_id === null ? sql`TRUE` : listingExists(principal, listing_id);
  const own = sql`(SELECT ${tracker.source_id} FROM ${tracker} WHERE ${tracker.id} = ${tracker_id} AND NOT ${tracker.clone})`;
  const [updated] = await db.batch([
    db
      .update(source)
      .set({ status_listing_id: listing_id })
      .where(and(eq(source.account_id, principal.account_id), eq(source.id, own), exists))
      .returning({ id: source.id }),
    recording(db, actor, { is: ["status_listing", "assign"], entry_id: listing_id, payload: { tracker_id } }),
  ]);
  if (updated.length === 0) throw new ApiError(201);
}

export function listingExists(principal: Principal, id: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${statusListing} WHERE ${visibleTo(principal, statusListing, eq(statusListing.id, id))})`;
}

function entriesOf(id: typeof statusListing.id) {
  const ordered = sql`SELECT ${status.id} AS entry FROM ${status} WHERE ${status.account_id} = ${statusListing.account_id}
    AND ${status.listing_id} = ${id} ORDER BY ${status.position}, ${status.id}`;
  return sql<number[]>`(SELECT json_group_array(entry) FROM (${ordered}))`.mapWith(JSON.parse);
}

const MOST_LISTINGS = 100;
const PAGE = 100;
