import { eq, notExists } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Device } from "#shared/contract/tracker/device.ts";
import type { Database } from "#shared/database/open.ts";
import { demand } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type RemovedTrackerRow, removedTracker } from "../table/tracker/removed-tracker.ts";
import { visibleToOperator } from "./operator-queries.ts";

/** The query for the removed tracker with this id, if the operator reaches it. */
export function selectRemoved(db: Database, principal: Principal, id: number) {
  return db
    .select()
    .from(removedTracker)
    .where(visibleToOperator(principal, removedTracker, eq(removedTracker.id, id)));
}

/** Demands that the tracker was not removed (252), for changes by operators. */
export function demandNotRemoved(db: Database, principal: Principal, id: number) {
  return demand(notExists(selectRemoved(db, principal, id)), () => new ApiError(252));
}

/** The removed device as geo receives it. */
export function toRemovedDevice(row: RemovedTrackerRow): Device {
  const { id: tracker_id, account_id, source_id, device_id, model, blocked, revision } = row;
  return { tracker_id, account_id, source_id, device_id, model, blocked, removed: true, revision };
}
