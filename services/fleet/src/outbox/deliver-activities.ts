import { openDatabase } from "#shared/database/open.ts";
import { deliverOutbox } from "#shared/database/outbox.ts";
import type { FleetEnv } from "../env.ts";
import { removeActivities, selectActivities } from "./activity-queries.ts";
import { removeGaugeChanges, selectGaugeChanges } from "./gauge-change-queries.ts";

/** Delivers changes of work statuses and tasks to geo, whose rules evaluate them. */
export function deliverActivities(env: FleetEnv) {
  const db = openDatabase(env);
  return deliverOutbox({
    select: (limit) => selectActivities(db, limit),
    deliver: (rows) => env.GEO.evaluateActivities(rows),
    remove: (rows) => removeActivities(db, rows),
  });
}

/**
 * Tells geo in which accounts sensors have changed, so that rules read them again. The call that changed a sensor did
 * so already, unless its Worker died or geo failed.
 */
export function deliverGaugeChanges(env: FleetEnv) {
  const db = openDatabase(env);
  return deliverOutbox({
    select: (limit) => selectGaugeChanges(db, limit),
    deliver: (rows) => env.GEO.invalidateGauges(rows.map(({ account_id }) => account_id)),
    remove: (rows) => removeGaugeChanges(db, rows),
  });
}

/**
 * Tells geo before the answer that sensors of the account have changed. A failure is ignored: the next sweep repeats
 * it.
 */
export async function deliverGaugeChange({ GEO }: Pick<FleetEnv, "GEO">, account_id: number) {
  await GEO.invalidateGauges([account_id]).catch(() => undefined);
}
