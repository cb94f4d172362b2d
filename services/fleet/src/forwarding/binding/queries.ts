import { asc, eq, exists, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../outbox/audit.ts";
import { retranslatedTracker } from "../../table/forwarding/retranslated-tracker.ts";
import { retranslator } from "../../table/forwarding/retranslator.ts";
import { trackerRetranslator } from "../../table/forwarding/tracker-retranslator.ts";
import { tariff } from "../../table/registration/tariff.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { isVisible, requireUsable, selectUsable } from "../../tracker/origin-queries.ts";
import { protocolsFor } from "../protocols.ts";
import { markTargetsChanged, selectTargetsOfAccount } from "../target-queries.ts";
import type { Binding } from "./schema.ts";

type NewBinding = { tracker_id: number; retranslator_id: number; fake_device_id: string | null };

/** Binds the tracker to the retranslator. A tracker that is bound already gets the `fake_device_id` of this call. */
export async function upsertBinding(db: Database, principal: Principal, binding: NewBinding, actor: Actor) {
  const { account_id } = principal;
  const { tracker_id, retranslator_id, fake_device_id } = binding;
  const receiverExists = (condition?: SQL) =>
    exists(
      db
        .select()
        .from(retranslator)
        .where(visibleTo(principal, retranslator, eq(retranslator.id, retranslator_id), condition)),
    );
  // The device's own id is not checked here: a protocol that cannot send it reports so in the retranslator's status.
  const hasMatchingProtocol =
    fake_device_id === null ? undefined : among(retranslator.protocol_id, protocolsFor(fake_device_id));
  const { targets } = await write(db, {
    ...demandUsable(principal, tracker_id),
    feature: demand(isVisible(principal, tracker_id, hasFeature), () => new ApiError(236)),
    receiver: demand(receiverExists(), () => new ApiError(201)),
    fitting: demand(hasMatchingProtocol && receiverExists(hasMatchingProtocol), invalidDeviceId),
    binding: db
      .insert(trackerRetranslator)
      .values({ account_id, ...binding })
      .onConflictDoUpdate({
        target: [trackerRetranslator.account_id, trackerRetranslator.tracker_id, trackerRetranslator.retranslator_id],
        set: { fake_device_id: sql`excluded.fake_device_id` },
      }),
    record: recordChange(db, actor, {
      is: ["tracker_retranslator", "bind"],
      entry_id: tracker_id,
      payload: { retranslator_id },
    }),
    mark: markTargetsChanged(db, eq(retranslatedTracker.tracker_id, tracker_id)),
    // The tracker's first binding: it has no row to mark yet.
    firstMark: db
      .insert(retranslatedTracker)
      .values({ tracker_id, account_id, revision: 1, pending: true })
      .onConflictDoNothing(),
    targets: selectTargetsOfAccount(db, principal, tracker_id),
  });
  return targets;
}

/** Removes a binding. Points that wait for the retranslator in the tracker's feed are dropped. */
export async function removeBinding(
  db: Database,
  principal: Principal,
  { tracker_id, retranslator_id }: Omit<NewBinding, "fake_device_id">,
  actor: Actor,
) {
  const bound = visibleTo(
    principal,
    trackerRetranslator,
    eq(trackerRetranslator.tracker_id, tracker_id),
    eq(trackerRetranslator.retranslator_id, retranslator_id),
  );
  const { targets } = await write(db, {
    ...demandUsable(principal, tracker_id),
    deletion: db.delete(trackerRetranslator).where(bound),
    bound: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, {
      is: ["tracker_retranslator", "unbind"],
      entry_id: tracker_id,
      payload: { retranslator_id },
    }),
    mark: markTargetsChanged(db, eq(retranslatedTracker.tracker_id, tracker_id)),
    targets: selectTargetsOfAccount(db, principal, tracker_id),
  });
  return targets;
}

export async function selectBindings(db: Database, principal: Principal, tracker_id: number): Promise<Binding[]> {
  const { trackers, rows } = await read(db, {
    trackers: selectUsable(db, principal, [tracker_id]),
    rows: db
      .select()
      .from(trackerRetranslator)
      .where(visibleTo(principal, trackerRetranslator, eq(trackerRetranslator.tracker_id, tracker_id)))
      .orderBy(asc(trackerRetranslator.retranslator_id)),
  });
  requireUsable(trackers, 201);
  return rows.map(({ retranslator_id, fake_device_id }) => ({
    retranslator_id,
    fake_device_id: fake_device_id ?? undefined,
  }));
}

/** Demands that the principal sees the tracker (201), that it is no clone (219) and not blocked (208). */
function demandUsable(principal: Principal, tracker_id: number) {
  return {
    visible: demand(isVisible(principal, tracker_id), () => new ApiError(201)),
    original: demand(isVisible(principal, tracker_id, eq(tracker.clone, false)), () => new ApiError(219)),
    open: demand(isVisible(principal, tracker_id, eq(source.blocked, false)), () => new ApiError(208)),
  };
}

function invalidDeviceId() {
  return new ApiError(242, { errors: [{ parameter: "fake_device_id", error: "must match the protocol's pattern" }] });
}

/** True when the tariff of `source` has the feature `retranslation`. */
const hasFeature = sql`EXISTS (SELECT 1 FROM ${tariff}, json_each(${tariff.features})
  WHERE ${tariff.id} = ${source.tariff_id} AND value = 'retranslation')`;
