import { and, asc, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { ApiError, type ErrorCode } from "#shared/error/api-error.ts";
import { recording } from "../../outbox/audit.ts";
import { retranslatedTracker } from "../../table/retranslated-tracker.ts";
import { retranslator } from "../../table/retranslator.ts";
import { source } from "../../table/source.ts";
import { tariff } from "../../table/tariff.ts";
import { tracker } from "../../table/tracker.ts";
import { trackerRetranslator } from "../../table/tracker-retranslator.ts";
import { protocolsFor } from "../protocols.ts";
import { markChanged, selectOwnTargets } from "../target-queries.ts";
import type { Binding } from "./schema.ts";

type NewBinding = { tracker_id: number; retranslator_id: number; fake_device_id: string | null };
const ofTracker = { account_id: tracker.account_id, tracker_id: tracker.id };

/** Bound anew, a tracker goes by the id given now. What refuses it is decided in the statement that inserts. */
export async function upsertBinding(
  db: Database,
  principal: Principal,
  { tracker_id, retranslator_id, fake_device_id }: NewBinding,
  actor: Actor,
) {
  const { account_id } = principal;
  // Whatever the device's own id is, the protocol gets along with it or tells so when it sends.
  const fitting = fake_device_id === null ? undefined : among(retranslator.protocol_id, protocolsFor(fake_device_id));
  const usable = and(
    visibleTo(principal, ofTracker, eq(tracker.id, tracker_id)),
    visibleTo(principal, retranslator, eq(retranslator.id, retranslator_id), fitting),
    sql`NOT ${tracker.clone} AND NOT ${source.blocked} AND ${hasFeature}`,
  );
  const [bound, , , , targets, [found], receivers] = await db.batch([
    db
      .insert(trackerRetranslator)
      .select(
        sql`SELECT ${account_id}, ${tracker.id}, ${retranslator.id}, ${fake_device_id}
          FROM ${tracker} JOIN ${source} ON ${source.id} = ${tracker.source_id} JOIN ${tariff} ON ${tariff.id} = ${source.tariff_id}
          JOIN ${retranslator} ON ${retranslator.account_id} = ${tracker.account_id} WHERE ${usable}`,
      )
      .onConflictDoUpdate({
        target: [trackerRetranslator.account_id, trackerRetranslator.tracker_id, trackerRetranslator.retranslator_id],
        set: { fake_device_id: sql`excluded.fake_device_id` },
      })
      .returning({ tracker_id: trackerRetranslator.tracker_id }),
    recording(db, actor, {
      is: ["tracker_retranslator", "bind"],
      entry_id: tracker_id,
      payload: { retranslator_id },
    }),
    markChanged(db, and(eq(retranslatedTracker.tracker_id, tracker_id), sql`changes() > 0`)),
    // Where there was nothing to mark yet.
    db
      .insert(retranslatedTracker)
      .select(
        sql`SELECT ${tracker_id}, ${account_id}, 1, 1 WHERE EXISTS (SELECT 1 FROM ${trackerRetranslator}
          WHERE ${trackerRetranslator.account_id} = ${account_id} AND ${trackerRetranslator.tracker_id} = ${tracker_id})`,
      )
      .onConflictDoNothing(),
    selectOwnTargets(db, principal, tracker_id),
    selectTracker(db, principal, tracker_id),
    db
      .select({ id: retranslator.id })
      .from(retranslator)
      .where(visibleTo(principal, retranslator, eq(retranslator.id, retranslator_id))),
  ]);
  if (bound.length > 0) return targets;
  const refusal = found ? refusalOf(found) : 201;
  if (refusal) throw new ApiError(refusal);
  if (!found?.hasFeature) throw new ApiError(236);
  if (receivers.length === 0) throw new ApiError(201);
  throw new ApiError(242, { errors: [{ parameter: "fake_device_id", error: "must match the protocol's pattern" }] });
}

/** What waits for the retranslator goes with it. */
export async function deleteBinding(
  db: Database,
  principal: Principal,
  { tracker_id, retranslator_id }: Omit<NewBinding, "fake_device_id">,
  actor: Actor,
) {
  const usable = sql`EXISTS (SELECT 1 FROM ${tracker} JOIN ${source} ON ${source.id} = ${tracker.source_id}
    WHERE ${tracker.id} = ${tracker_id} AND NOT ${tracker.clone} AND NOT ${source.blocked})`;
  const bound = visibleTo(
    principal,
    trackerRetranslator,
    eq(trackerRetranslator.tracker_id, tracker_id),
    eq(trackerRetranslator.retranslator_id, retranslator_id),
  );
  const [deleted, , , targets, [found]] = await db.batch([
    db.delete(trackerRetranslator).where(and(bound, usable)).returning({ tracker_id: trackerRetranslator.tracker_id }),
    recording(db, actor, {
      is: ["tracker_retranslator", "unbind"],
      entry_id: tracker_id,
      payload: { retranslator_id },
    }),
    markChanged(db, and(eq(retranslatedTracker.tracker_id, tracker_id), sql`changes() > 0`)),
    selectOwnTargets(db, principal, tracker_id),
    selectTracker(db, principal, tracker_id),
  ]);
  if (deleted.length > 0) return targets;
  throw new ApiError((found && refusalOf(found)) ?? 201);
}

export async function selectBindings(db: Database, principal: Principal, tracker_id: number): Promise<Binding[]> {
  const [[found], rows] = await db.batch([
    selectTracker(db, principal, tracker_id),
    db
      .select()
      .from(trackerRetranslator)
      .where(visibleTo(principal, trackerRetranslator, eq(trackerRetranslator.tracker_id, tracker_id)))
      .orderBy(asc(trackerRetranslator.retranslator_id)),
  ]);
  if (!found) throw new ApiError(201);
  if (found.blocked) throw new ApiError(208);
  return rows.map(({ retranslator_id, fake_device_id }) => ({
    retranslator_id,
    fake_device_id: fake_device_id ?? undefined,
  }));
}

function selectTracker(db: Database, principal: Principal, id: number) {
  return db
    .select({ clone: tracker.clone, blocked: source.blocked, hasFeature: sql<boolean>`${hasFeature}` })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .innerJoin(tariff, eq(tariff.id, source.tariff_id))
    .where(visibleTo(principal, ofTracker, eq(tracker.id, id)));
}

function refusalOf({ clone, blocked }: { clone: boolean; blocked: boolean }): ErrorCode | undefined {
  if (clone) return 219;
  return blocked ? 208 : undefined;
}

const hasFeature = sql`EXISTS (SELECT 1 FROM json_each(${tariff.features}) WHERE value = 'retranslation')`;
