import { and, asc, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { rowIf, selectWhether } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recording } from "../outbox/audit.ts";
import { status } from "../table/status.ts";
import { someHave } from "../tariff/feature-queries.ts";
import { listingExists } from "./listing/queries.ts";
import type { NewStatus, Status } from "./schema.ts";

/** Of a list, in its order; an unknown list is an empty one. */
export async function selectStatuses(db: Database, principal: Principal, listing_id: number): Promise<Status[]> {
  const [rows, [feature]] = await db.batch([
    db
      .select({ id: status.id, label: status.label, color: status.color })
      .from(status)
      .where(visibleTo(principal, status, eq(status.listing_id, listing_id)))
      .orderBy(asc(status.position), asc(status.id))
      .limit(MOST_STATUSES),
    selectWhether(db, someHave("statuses", principal)),
  ]);
  if (!feature?.holds) throw new ApiError(236);
  return rows;
}

/** At the end of its list; how many that may have is counted in the statement that inserts. */
export async function insertStatus(
  db: Database,
  principal: Principal,
  listing_id: number,
  input: NewStatus,
  actor: Actor,
) {
  const { account_id } = principal;
  const allowed = someHave("statuses", principal);
  const exists = listingExists(principal, listing_id);
  const ofListing = and(eq(status.account_id, account_id), eq(status.listing_id, listing_id));
  const room = sql`(SELECT count(*) FROM ${status} WHERE ${ofListing}) < ${MOST_STATUSES}`;
  const last = sql`(SELECT coalesce(max(${status.position}), -1) + 1 FROM ${status} WHERE ${ofListing})`;
  const row = { ...input, account_id, listing_id, position: 0 };
  const [[inserted], , , [feature], [listing]] = await db.batch([
    db
      .insert(status)
      .select(rowIf(status, row, and(allowed, exists, room)))
      .returning({ id: status.id }),
    recording(db, actor, {
      is: ["status", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: input.label, listing_id },
    }),
    db
      .update(status)
      .set({ position: last })
      .where(and(ofListing, sql`changes() > 0`, eq(status.id, sql`(SELECT max(id) FROM ${status})`))),
    selectWhether(db, allowed),
    selectWhether(db, exists),
  ]);
  if (!feature?.holds) throw new ApiError(236);
  if (!listing?.holds) throw new ApiError(201);
  if (!inserted) throw new ApiError(268);
  return inserted.id;
}

export async function changeStatus(db: Database, principal: Principal, { id, ...input }: Status, actor: Actor) {
  const allowed = someHave("statuses", principal);
  const [updated, , [feature]] = await db.batch([
    db
      .update(status)
      .set(input)
      .where(visibleTo(principal, status, eq(status.id, id), allowed))
      .returning({ id: status.id }),
    recording(db, actor, { is: ["status", "update"], entry_id: id, payload: { label: input.label } }),
    selectWhether(db, allowed),
  ]);
  if (!feature?.holds) throw new ApiError(236);
  if (updated.length === 0) throw new ApiError(201);
}

export async function removeStatus(db: Database, principal: Principal, id: number, actor: Actor) {
  const allowed = someHave("statuses", principal);
  const [deleted, , [feature]] = await db.batch([
    db
      .delete(status)
      .where(visibleTo(principal, status, eq(status.id, id), allowed))
      .returning({ id: status.id }),
    recording(db, actor, { is: ["status", "delete"], entry_id: id }),
    selectWhether(db, allowed),
  ]);
  if (!feature?.holds) throw new ApiError(236);
  if (deleted.length === 0) throw new ApiError(201);
}

const MOST_STATUSES = 100;
