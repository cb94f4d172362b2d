import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recording } from "../../outbox/audit.ts";
import { accountRemoval } from "../../table/account-removal.ts";
import { counter } from "../../table/counter.ts";
import { counterSegment } from "../../table/counter-segment.ts";
import { outbox } from "../../table/device-outbox.ts";
import { employee } from "../../table/employee.ts";
import { output } from "../../table/output.ts";
import { removedTracker } from "../../table/removed-tracker.ts";
import { retranslatedTracker } from "../../table/retranslated-tracker.ts";
import { sensor } from "../../table/sensor.ts";
import { source } from "../../table/source.ts";
import { tagBinding } from "../../table/tag-binding.ts";
import { tracker } from "../../table/tracker.ts";
import { trackerRetranslator } from "../../table/tracker-retranslator.ts";
import { vehicle } from "../../table/vehicle.ts";
import { ofDealer } from "../of-dealer-queries.ts";
import { toRemovedDevice } from "../removed-queries.ts";
import { OF_ACCOUNT, type OfAccount } from "./of-account.ts";

/**
 * The tracker with its device and its clones, for good: device id and phone are free from here on. Done in a repeat of
 * the call already, it finds what geo must hear of all the same.
 */
export async function removeTracker(db: Database, principal: Principal, id: number, withClones: boolean, actor: Actor) {
  const others = db
    .select({ id: tracker.id })
    .from(tracker)
    .where(and(sourceOf(tracker, id), eq(tracker.clone, true)));
  const leave = withClones ? undefined : sql`NOT EXISTS ${others}`;
  const original = eq(removedTracker.id, id);
  const account_id = sql`(SELECT ${removedTracker.account_id} FROM ${removedTracker} WHERE ${original})`;
  const [, , , , , , , , , gone, rows, live, clones] = await db.batch([
    archive(db, ofDealer(principal, source, and(ownSourceOf(source, id), leave))),
    recording(db, actor, { is: ["tracker", "corrupt"], entry_id: id, account_id }),
    ...removeArchived(db, original),
    selectArchived(db, ofDealer(principal, removedTracker, original)),
    db
      .select({ clone: tracker.clone })
      .from(tracker)
      .innerJoin(source, eq(source.id, tracker.source_id))
      .where(ofDealer(principal, source, eq(tracker.id, id))),
    others,
    ...forget(db, original),
  ]);
  const [known] = live;
  if (known?.clone) throw new ApiError(219);
  if (known) throw new ApiError(253, { list: clones.map((clone) => clone.id) });
  if (rows.length === 0) throw new ApiError(201);
  return { devices: rows.map(toRemovedDevice), isNew: gone.length > 0 };
}

/** All that an account has here; clones of its trackers go with them, wherever they are. */
export async function removeAccount(db: Database, account_id: number) {
  const ofAccount = eq(removedTracker.account_id, account_id);
  const [, , , , , , , , , gone, rows, clones, ...rest] = await db.batch([
    archive(db, eq(source.account_id, account_id)),
    db.insert(accountRemoval).values({ account_id }).onConflictDoNothing(),
    ...removeArchived(db, ofAccount),
    selectArchived(db, ofAccount),
    db.delete(tracker).where(eq(tracker.account_id, account_id)).returning({ id: tracker.id }),
    ...OF_ACCOUNT.map((table) => deleteOf(db, table, account_id)),
    db.delete(tagBinding).where(eq(tagBinding.account_id, account_id)).returning({ id: tagBinding.entity_id }),
  ]);
  const left = [gone, clones, ...rest].flat();
  return { devices: rows.map(toRemovedDevice), isNew: left.length > 0 };
}

/** The clones, in whatever account, of what the user of the operator's has. */
export async function selectClones(db: Database, { dealer_id, permissions }: Principal, account_id: number) {
  const global = permissions.users?.includes("global") ? 1 : 0;
  const reachable = sql`(${source.dealer_id} = ${dealer_id} OR ${global})`;
  const rows = await db
    .select({ id: tracker.id })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .where(and(eq(source.account_id, account_id), eq(tracker.clone, true), reachable));
  return rows.map(({ id }) => id);
}

/** Trackers and clones of these sources. */
function archive(db: Database, wanted: SQL | undefined) {
  return db.insert(removedTracker).select(
    sql`SELECT ${tracker.id}, ${tracker.account_id}, ${source.dealer_id}, ${source.id}, ${tracker.clone}, ${tracker.label},
        ${tracker.group_id}, ${tracker.comment}, ${source.device_id}, ${source.model}, ${source.blocked},
        ${source.tariff_id}, ${source.creation_date}, ${source.phone}, ${source.revision} + 1
      FROM ${source} JOIN ${tracker} ON ${tracker.source_id} = ${source.id} WHERE ${wanted}`,
  );
}

/** The word to geo, and what is left of the devices whose originals these are. */
function removeArchived(db: Database, wanted: SQL) {
  const sources = sql`SELECT ${removedTracker.source_id} FROM ${removedTracker} WHERE ${wanted} AND NOT ${removedTracker.clone}`;
  const ofSources = sql`FROM ${removedTracker} WHERE ${removedTracker.source_id} IN (${sources})`;
  const bound = sql`SELECT ${removedTracker.account_id}, ${removedTracker.id} ${ofSources}`;
  return [
    db.insert(outbox).select(sql`SELECT NULL, source_id FROM (${sources})`),
    db
      .update(vehicle)
      .set({ tracker_id: null })
      .where(sql`(${vehicle.account_id}, ${vehicle.tracker_id}) IN (${bound})`),
    db
      .update(employee)
      .set({ tracker_id: null })
      .where(sql`(${employee.account_id}, ${employee.tracker_id}) IN (${bound})`),
    db
      .delete(tagBinding)
      .where(
        sql`${eq(tagBinding.entity_type, "tracker")} AND ${tagBinding.entity_id} IN (SELECT ${removedTracker.id} ${ofSources})`,
      ),
    db
      .delete(trackerRetranslator)
      .where(sql`(${trackerRetranslator.account_id}, ${trackerRetranslator.tracker_id}) IN (${bound})`),
    db
      .delete(retranslatedTracker)
      .where(sql`${retranslatedTracker.tracker_id} IN (SELECT ${removedTracker.id} ${ofSources})`),
    db.delete(tracker).where(sql`${tracker.id} IN (SELECT ${removedTracker.id} ${ofSources})`),
    db.delete(source).where(sql`${source.id} IN (${sources})`).returning({ id: source.id }),
  ] as const;
}

/** What was measured on it: nobody can ask for it any more. */
function forget(db: Database, wanted: SQL) {
  const gone = sql`SELECT ${removedTracker.account_id}, ${removedTracker.id} FROM ${removedTracker} WHERE ${wanted}`;
  const counters = sql`SELECT ${counter.id} FROM ${counter} WHERE (${counter.account_id}, ${counter.tracker_id}) IN (${gone})`;
  return [
    db.delete(sensor).where(sql`(${sensor.account_id}, ${sensor.tracker_id}) IN (${gone})`),
    db.delete(output).where(sql`(${output.account_id}, ${output.tracker_id}) IN (${gone})`),
    db.delete(counterSegment).where(sql`${counterSegment.counter_id} IN (${counters})`),
    db.delete(counter).where(sql`(${counter.account_id}, ${counter.tracker_id}) IN (${gone})`),
  ] as const;
}

function deleteOf(db: Database, table: OfAccount, account_id: number) {
  return db.delete(table).where(eq(table.account_id, account_id)).returning({ id: table.id });
}

function selectArchived(db: Database, wanted: SQL | undefined) {
  return db
    .select()
    .from(removedTracker)
    .where(and(wanted, eq(removedTracker.clone, false)));
}

function sourceOf(table: typeof tracker, id: number) {
  return sql`${table.source_id} = (SELECT own.source_id FROM ${tracker} AS own WHERE own.id = ${id})`;
}

function ownSourceOf(table: typeof source, id: number) {
  return sql`${table.id} = (SELECT own.source_id FROM ${tracker} AS own WHERE own.id = ${id} AND NOT own.clone)`;
}
