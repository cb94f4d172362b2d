import { and, asc, eq, exists, isNull, lte, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { recordChange } from "../outbox/audit.ts";
import { tariff } from "../table/registration/tariff.ts";
import { source } from "../table/tracker/source.ts";
import { tracker } from "../table/tracker/tracker.ts";
import { hasQuota, isForTrackers, isOfSourceDealer } from "./condition-queries.ts";

/** The tariffs that the dealer offers, and those that the account's devices have. */
export function selectOfferedTariffs(db: Database, { account_id, dealer_id }: Principal) {
  const used = db.select({ id: source.tariff_id }).from(source).where(eq(source.account_id, account_id));
  return db
    .select()
    .from(tariff)
    .where(and(eq(tariff.dealer_id, dealer_id), or(eq(tariff.active, true), sql`${tariff.id} IN ${used}`)))
    .orderBy(asc(tariff.id));
}

/**
 * Changes a device's tariff on behalf of its owner: within the tariff's group, and again only after 30 days. Choosing
 * the current tariff changes nothing.
 */
export async function changeOwnTariff(db: Database, principal: Principal, id: number, tariff_id: number, actor: Actor) {
  const now = actor.action_date;
  const isOwn = (...conditions: (SQL | undefined)[]) =>
    exists(
      db
        .select()
        .from(tracker)
        .innerJoin(source, eq(source.id, tracker.source_id))
        .where(visibleTo(principal, TRACKER_SCOPE, eq(tracker.id, id), ...conditions)),
    );
  const isCurrent = eq(source.tariff_id, tariff_id);
  const isWaitOver = or(isNull(source.tariff_changed), lte(source.tariff_changed, now - MIN_CHANGE_INTERVAL_MS));
  const device = sql`(SELECT ${tracker.source_id} FROM ${tracker} WHERE ${tracker.id} = ${id} AND NOT ${tracker.clone})`;
  await write(db, {
    visible: demand(isOwn(), () => new ApiError(201)),
    original: demand(isOwn(eq(tracker.clone, false)), () => new ApiError(219)),
    existing: demand(isOwn(isOfSourceDealer(tariff_id)), () => new ApiError(239)),
    active: demand(isOwn(or(isCurrent, isForTrackers(tariff_id))), () => new ApiError(237)),
    grouped: demand(isOwn(or(isCurrent, isOfSameGroup(tariff_id))), () => new ApiError(238)),
    time: demand(isOwn(or(isCurrent, isWaitOver)), () => new ApiError(240)),
    quota: demand(isOwn(or(isCurrent, hasQuota(tariff_id))), () => new ApiError(221)),
    update: db
      .update(source)
      .set({ tariff_id, tariff_changed: now })
      .where(visibleTo(principal, { account_id: source.account_id }, sql`${source.id} = ${device}`, not(isCurrent))),
    record: recordChange(db, actor, { is: ["tracker", "tariff_change"], entry_id: id, payload: { tariff_id } }),
  });
}

/** Condition on `source`: the tariff belongs to the group of its current tariff. */
function isOfSameGroup(tariff_id: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${tariff} JOIN ${tariff} AS ${sql.identifier("present")}
    ON ${current.group_id} = ${tariff.group_id} WHERE ${tariff.id} = ${tariff_id} AND ${current.id} = ${source.tariff_id})`;
}

const current = alias(tariff, "present");
/** `visibleTo` limits by the column `tracker_id`; for trackers that is their own id. */
const TRACKER_SCOPE = { account_id: tracker.account_id, tracker_id: tracker.id };
const MIN_CHANGE_INTERVAL_MS = 30 * DAY_MS;
