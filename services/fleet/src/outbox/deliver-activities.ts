import { openDatabase } from "#shared/database/open.ts";
import { deliverOutbox } from "#shared/database/outbox.ts";
import type { FleetEnv } from "../env.ts";
import { removeActivities, selectActivities } from "./activity-queries.ts";
import { removeGaugeChanges, selectGaugeChanges } from "./gauge-change-queries.ts";

/** Tells rules what happened that no point tells. */
export function deliverActivities(env: FleetEnv) {
  const db = openDatabase(env);
  return deliverOutbox({
    select: (limit) => selectActivities(db, limit),
    deliver: (rows) => env.GEO.followActivities(rows),
    remove: (rows) => removeActivities(db, rows),
  });
}

/** Tells rules of sensors that have changed; whoever changed them has told already, unless it died or geo was away. */
export function deliverGaugeChanges(env: FleetEnv) {
  const db = openDatabase(env);
  return deliverOutbox({
    select: (limit) => selectGaugeChanges(db, limit),
    deliver: (rows) => env.GEO.forgetGauges(rows.map(({ account_id }) => account_id)),
    remove: (rows) => removeGaugeChanges(db, rows),
  });
}

/** Before the answer. Should geo be away, the sensors are changed all the same, and the next sweep tells of it. */
export async function deliverGaugeChange({ GEO }: Pick<FleetEnv, "GEO">, account_id: number) {
  await GEO.forgetGauges([account_id]).catch(() => undefined);
}
