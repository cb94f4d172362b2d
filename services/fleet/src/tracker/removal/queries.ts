import { and, eq, exists, inArray, notExists, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../outbox/audit.ts";
import { retranslatedTracker } from "../../table/forwarding/retranslated-tracker.ts";
import { trackerRetranslator } from "../../table/forwarding/tracker-retranslator.ts";
import { deviceOutbox } from "../../table/outbox/device-outbox.ts";
import { trackerRemoval } from "../../table/outbox/tracker-removal.ts";
import { employee } from "../../table/people/employee.ts";
import { tagBinding } from "../../table/tag/tag-binding.ts";
import { counter } from "../../table/telemetry/counter.ts";
import { counterSegment } from "../../table/telemetry/counter-segment.ts";
import { output } from "../../table/telemetry/output.ts";
import { sensor } from "../../table/telemetry/sensor.ts";
import { removedTracker } from "../../table/tracker/removed-tracker.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";
import { isVisibleToOperator, visibleToOperator } from "../operator-queries.ts";
import { toRemovedDevice } from "../removed-queries.ts";

/**
 * Removes a tracker with its device and its clones for good; device id and phone can be used again. A repetition
 * answers the same devices and trackers, so that geo is informed again. Without `withClones` a tracker with clones
 * stays: 253 names them.
 */
export async function removeTracker(db: Database, principal: Principal, id: number, withClones: boolean, actor: Actor) {
  const clones = db
    .select({ id: tracker.id })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .where(visibleToOperator(principal, source, isSourceOf(tracker, id), eq(tracker.clone, true)));
  const archived = eq(removedTracker.id, id);
  const isArchived = exists(selectArchivedOriginals(db, visibleToOperator(principal, removedTracker, archived)));
  const account_id = sql`(SELECT ${removedTracker.account_id} FROM ${removedTracker} WHERE ${archived})`;
  const isFree = withClones ? undefined : notExists(clones);
  const results = await write(db, {
    existing: demand(or(isVisibleToOperator(principal, id), isArchived), () => new ApiError(201)),
    original: demand(sql`NOT ${isVisibleToOperator(principal, id, eq(tracker.clone, true))}`, () => new ApiError(219)),
    clones,
    archive: archiveTrackers(
      db,
      visibleToOperator(principal, source, and(isOwnSourceOf(source, id), isFree)),
      actor.action_date,
    ),
    record: recordChange(db, actor, { is: ["tracker", "corrupt"], entry_id: id, account_id }),
    ...archivedDeletionSteps(db, archived),
    archived: selectArchivedOriginals(db, archived),
    measured: measurementDeletionSteps(db, archived),
  });
  if (!withClones && results.clones.length > 0) {
    throw new ApiError(253, { list: results.clones.map((clone) => clone.id) });
  }
  const { archived: devices, sources, trackers } = results;
  return { devices: devices.map(toRemovedDevice), trackers, isNew: sources.length > 0 };
}

/** The clones in any account of the trackers of a user that the operator reaches. */
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

/** Copies the trackers and clones of these sources to `removed_tracker`. */
export function archiveTrackers(db: Database, condition: SQL | undefined, now: number) {
  return db.insert(removedTracker).select(
    sql`SELECT ${tracker.id}, ${tracker.account_id}, ${source.dealer_id}, ${source.id}, ${tracker.clone}, ${tracker.label},
        ${tracker.group_id}, ${tracker.comment}, ${source.device_id}, ${source.model}, ${source.blocked},
        ${source.tariff_id}, ${source.creation_date}, ${source.phone}, ${source.revision} + 1, ${now}, 0
      FROM ${source} JOIN ${tracker} ON ${tracker.source_id} = ${source.id} WHERE ${condition}`,
  );
}

/**
 * Steps behind `archiveTrackers`: insert the messages to geo and tasks, and delete trackers, clones and devices of the
 * archived originals with all that refers to them.
 */
export function archivedDeletionSteps(db: Database, archived: SQL) {
  const sources = sql`SELECT ${removedTracker.source_id} FROM ${removedTracker} WHERE ${archived} AND NOT ${removedTracker.clone}`;
  const ofSources = sql`FROM ${removedTracker} WHERE ${removedTracker.source_id} IN (${sources})`;
  const bound = sql`SELECT ${removedTracker.account_id}, ${removedTracker.id} ${ofSources}`;
  const ids = sql`(SELECT ${removedTracker.id} ${ofSources})`;
  return {
    message: db.insert(deviceOutbox).select(
      sql`SELECT NULL, ${removedTracker.account_id}, ${removedTracker.source_id} FROM ${removedTracker}
        WHERE ${archived} AND NOT ${removedTracker.clone}`,
    ),
    removals: db
      .insert(trackerRemoval)
      .select(sql`SELECT ${removedTracker.id}, ${removedTracker.account_id} ${ofSources}`)
      .onConflictDoNothing(),
    vehicles: db
      .update(vehicle)
      .set({ tracker_id: null })
      .where(sql`(${vehicle.account_id}, ${vehicle.tracker_id}) IN (${bound})`),
    employees: db
      .update(employee)
      .set({ tracker_id: null })
      .where(sql`(${employee.account_id}, ${employee.tracker_id}) IN (${bound})`),
    tags: db.delete(tagBinding).where(and(eq(tagBinding.entity_type, "tracker"), inArray(tagBinding.entity_id, ids))),
    bindings: db
      .delete(trackerRetranslator)
      .where(sql`(${trackerRetranslator.account_id}, ${trackerRetranslator.tracker_id}) IN (${bound})`),
    targets: db.delete(retranslatedTracker).where(inArray(retranslatedTracker.tracker_id, ids)),
    trackers: db
      .delete(tracker)
      .where(inArray(tracker.id, ids))
      .returning({ tracker_id: tracker.id, account_id: tracker.account_id }),
    sources: db
      .delete(source)
      .where(inArray(source.id, sql`(${sources})`))
      .returning({ id: source.id }),
  };
}

/** Steps that delete the sensors, outputs and counters of the archived trackers. */
function measurementDeletionSteps(db: Database, archived: SQL) {
  const removed = sql`SELECT ${removedTracker.account_id}, ${removedTracker.id} FROM ${removedTracker} WHERE ${archived}`;
  const counters = sql`(SELECT ${counter.id} FROM ${counter} WHERE (${counter.account_id}, ${counter.tracker_id}) IN (${removed}))`;
  return [
    db.delete(sensor).where(sql`(${sensor.account_id}, ${sensor.tracker_id}) IN (${removed})`),
    db.delete(output).where(sql`(${output.account_id}, ${output.tracker_id}) IN (${removed})`),
    db.delete(counterSegment).where(inArray(counterSegment.counter_id, counters)),
    db.delete(counter).where(sql`(${counter.account_id}, ${counter.tracker_id}) IN (${removed})`),
  ];
}

/** The query for the archived trackers, without clones. */
export function selectArchivedOriginals(db: Database, archived: SQL | undefined) {
  return db
    .select()
    .from(removedTracker)
    .where(and(archived, eq(removedTracker.clone, false)));
}

function isSourceOf(table: typeof tracker, id: number) {
  return sql`${table.source_id} = (SELECT own.source_id FROM ${tracker} AS own WHERE own.id = ${id})`;
}

function isOwnSourceOf(table: typeof source, id: number) {
  return sql`${table.id} = (SELECT own.source_id FROM ${tracker} AS own WHERE own.id = ${id} AND NOT own.clone)`;
}
