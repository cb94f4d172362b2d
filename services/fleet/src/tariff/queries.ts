import { and, asc, count, desc, eq, or, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Feature, NewTariff, Tariff, TariffSearch } from "#shared/contract/tracker/tariff.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow, selectObjects, throwIfTaken } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { tariff } from "../table/registration/tariff.ts";
import { source } from "../table/tracker/source.ts";
import { tracker } from "../table/tracker/tracker.ts";

export async function insertTariff(db: Database, { dealer_id }: Principal, input: NewTariff) {
  const inserted = await db
    .insert(tariff)
    .values({ ...input, dealer_id })
    .returning({ id: tariff.id })
    .catch(throwIfTaken(244));
  return onlyRow(inserted).id;
}

export async function updateTariff(db: Database, principal: Principal, id: number, changes: Partial<NewTariff>) {
  const isOwn = isOwnTariff(principal, id);
  // A call without changes succeeds, too, but the tariff must exist.
  const updated = await db
    .update(tariff)
    .set({ dealer_id: principal.dealer_id, ...changes })
    .where(isOwn)
    .returning({ id: tariff.id })
    .catch(throwIfTaken(244));
  if (updated.length === 0) throw new ApiError(201);
}

export async function findTariff(db: Database, principal: Principal, id: number): Promise<Tariff | undefined> {
  const row = await db.select().from(tariff).where(isOwnTariff(principal, id)).get();
  return row && toTariff(row);
}

export async function requireTariff(db: Database, principal: Principal, id: number): Promise<Tariff> {
  const found = await findTariff(db, principal, id);
  if (!found) throw new ApiError(201);
  return found;
}

export async function selectTariffs(db: Database, { dealer_id }: Principal, search: TariffSearch) {
  const { device_type, filter, order_by, ascending, offset, limit } = search;
  const visible = and(
    eq(tariff.dealer_id, dealer_id),
    device_type && eq(tariff.device_type, device_type),
    // SQLite's `lower` folds ASCII only: enough for the few tariffs, which only operators read.
    filter ? sql`instr(lower(${tariff.name}), lower(${filter})) > 0` : undefined,
  );
  const direction = ascending ? asc : desc;
  const { rows, counted } = await read(db, {
    rows: db
      .select()
      .from(tariff)
      .where(visible)
      .orderBy(direction(tariff[order_by]), asc(tariff.id))
      .limit(limit)
      .offset(offset),
    counted: db.select({ count: count() }).from(tariff).where(visible),
  });
  return { list: rows.map(toTariff), count: onlyRow(counted).count };
}

/** The map filters of the tariffs that the account's devices have and that new devices get. */
export async function selectMapFilters(db: Database, { account_id, default_tariff_id }: Principal) {
  const used = db.select({ id: source.tariff_id }).from(source).where(eq(source.account_id, account_id));
  const isAvailable: SQL | undefined = or(sql`${tariff.id} IN ${used}`, eq(tariff.id, default_tariff_id ?? 0));
  const rows = await db.select({ map_filter: tariff.map_filter }).from(tariff).where(isAvailable);
  return rows.map(({ map_filter }) => map_filter);
}

function toTariff({ dealer_id, ...row }: typeof tariff.$inferSelect): Tariff {
  return row;
}

/**
 * Whether all of the account's trackers have the feature (without trackers, the tariff of new ones), and which of the
 * ids are trackers that the principal sees. In one query, because the calling service needs a second trip for its own
 * data.
 */
export async function selectAccess(db: Database, principal: Principal, feature: Feature, ids: number[]) {
  const { account_id, default_tariff_id } = principal;
  const trackerScope = { account_id: tracker.account_id, tracker_id: tracker.id };
  const has = sql`EXISTS (SELECT 1 FROM json_each(${tariff.features}) WHERE value = ${feature})`;
  const any = sql`EXISTS (SELECT 1 FROM ${tracker} WHERE ${tracker.account_id} = ${account_id})`;
  // Checks the features per tariff: there are few tariffs and many trackers.
  const used = sql`SELECT ${source.tariff_id} FROM ${tracker} JOIN ${source} ON ${source.id} = ${tracker.source_id}
    WHERE ${tracker.account_id} = ${account_id}`;
  const lacking = sql`EXISTS (SELECT 1 FROM ${tariff} WHERE ${tariff.id} IN (${used}) AND NOT ${has})`;
  const first = sql`EXISTS (SELECT 1 FROM ${tariff} WHERE ${tariff.id} = ${default_tariff_id} AND ${has})`;
  const found = sql`SELECT json_group_array(${tracker.id}) FROM ${tracker}
    WHERE ${visibleTo(principal, trackerScope, among(tracker.id, ids))}`;
  const { allowed, known } = onlyRow(
    await selectObjects<{ allowed: number; known: string }>(
      db,
      sql`SELECT iif(${any}, NOT ${lacking}, ${first}) AS allowed, (${found}) AS known`,
    ),
  );
  // The query built this JSON array.
  return { allowed: allowed === 1, known: JSON.parse(known) as number[] };
}

function isOwnTariff({ dealer_id }: Principal, id: number) {
  return and(eq(tariff.dealer_id, dealer_id), eq(tariff.id, id));
}
