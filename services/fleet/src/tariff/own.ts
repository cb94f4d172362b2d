import { and, asc, eq, isNull, lte, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { recording } from "../outbox/audit.ts";
import { source } from "../table/source.ts";
import { tariff } from "../table/tariff.ts";
import { tracker } from "../table/tracker.ts";
import { hasRoom } from "./room.ts";

/** What a user may choose, and what it has chosen. */
export function selectOffered(db: Database, { account_id, dealer_id }: Principal) {
  const used = db.select({ id: source.tariff_id }).from(source).where(eq(source.account_id, account_id));
  return db
    .select()
    .from(tariff)
    .where(and(eq(tariff.dealer_id, dealer_id), or(eq(tariff.active, true), sql`${tariff.id} IN ${used}`)))
    .orderBy(asc(tariff.id));
}

/** By the device's owner: within the group of tariffs, and not again for 30 days. The one that it has is no change. */
export async function changeOwnTariff(db: Database, principal: Principal, id: number, tariff_id: number, actor: Actor) {
  const now = actor.action_date;
  const visible = visibleTo(principal, { account_id: tracker.account_id, tracker_id: tracker.id }, eq(tracker.id, id));
  const own = sql`${source.id} IN (SELECT ${tracker.source_id} FROM ${tracker} WHERE ${visible} AND NOT ${tracker.clone})`;
  const isGrouped = sql`EXISTS (SELECT 1 FROM ${tariff} JOIN ${tariff} AS ${sql.identifier("present")}
    ON ${present.group_id} = ${tariff.group_id} WHERE ${tariff.id} = ${tariff_id} AND ${present.id} = ${source.tariff_id})`;
  const isTime = or(isNull(source.tariff_changed), lte(source.tariff_changed, now - WAIT_MS));
  const isOther = sql`${source.tariff_id} <> ${tariff_id}`;
  const payload = { tariff_id };
  const [changed, , [known]] = await db.batch([
    db
      .update(source)
      .set({ tariff_id, tariff_changed: now })
      .where(and(own, isOther, isGrouped, isTime, hasRoom(tariff_id)))
      .returning({ id: source.id }),
    recording(db, actor, { is: ["tracker", "tariff_change"], entry_id: id, payload }),
    db
      .select({ clone: tracker.clone, source, tariff, group_id: present.group_id })
      .from(tracker)
      .innerJoin(source, eq(source.id, tracker.source_id))
      .leftJoin(tariff, and(eq(tariff.id, tariff_id), eq(tariff.dealer_id, source.dealer_id)))
      .leftJoin(present, eq(present.id, source.tariff_id))
      .where(visible),
  ]);
  if (changed.length > 0) return;
  if (!known) throw new ApiError(201);
  if (known.clone) throw new ApiError(219);
  if (!known.tariff) throw new ApiError(239);
  if (known.source.tariff_id === tariff_id) return;
  if (!known.tariff.active || known.tariff.device_type !== "tracker") throw new ApiError(237);
  if (known.tariff.group_id !== known.group_id) throw new ApiError(238);
  throw new ApiError(now - (known.source.tariff_changed ?? 0) < WAIT_MS ? 240 : 221);
}

const present = alias(tariff, "present");
const WAIT_MS = 30 * DAY_MS;
