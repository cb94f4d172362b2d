import { runAfterAnswer } from "#shared/background/run-after-answer.ts";
import { openDatabase } from "#shared/database/open.ts";
import { deliverOutbox } from "#shared/database/outbox.ts";
import type { GatewayEnv } from "../../env.ts";
import { deleteZoneChanges, selectZoneChanges } from "./queries.ts";

/** Tells tasks and geo of accounts whose days begin in another zone now. */
export function deliverTimeZones(env: GatewayEnv) {
  const db = openDatabase(env);
  return deliverOutbox({
    select: (limit) => selectZoneChanges(db, limit),
    deliver: async (rows) => {
      const zones = rows.flatMap(({ time_zone, ...row }) => (time_zone === null ? [] : { ...row, time_zone }));
      await Promise.all([env.TASKS.putTimeZones(zones), env.GEO.putTimeZones(zones)]);
    },
    remove: (rows) => deleteZoneChanges(db, rows),
  });
}

/** After the answer; what fails is left to the sweep. */
export function deliverTimeZonesLater(env: GatewayEnv) {
  return runAfterAnswer(deliverTimeZones(env));
}
