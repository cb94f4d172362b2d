import { openDatabase } from "#shared/database/open.ts";
import { deliverOutbox } from "#shared/database/outbox.ts";
import type { GatewayEnv } from "../../env.ts";
import { runAfterAnswer } from "../../run-after-answer.ts";
import { deleteZoneChanges, selectZoneChanges } from "./queries.ts";

/** Delivers changed time zones of accounts to the tasks and geo services, whose days then begin at other times. */
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

/** Delivers after the answer; the sweep retries what fails. */
export function deliverTimeZonesLater(env: GatewayEnv) {
  return runAfterAnswer(deliverTimeZones(env));
}
