import type { Device } from "#shared/contract/device.ts";
import { openDatabase } from "#shared/database/open.ts";
import { deliverOutbox } from "#shared/database/outbox.ts";
import type { FleetEnv } from "../env.ts";
import { deletePendingDevices, selectPendingDevices } from "./device-outbox-queries.ts";
import { toDevice } from "./queries.ts";
import { toRemovedDevice } from "./removed-queries.ts";

/**
 * Tells geo again of what changed since the last sweep: the call that made a change told it already, unless it died
 * in between. Told is the state as it is now, and its revision keeps an older one from overwriting it.
 */
export function deliverDevices(env: FleetEnv) {
  const db = openDatabase(env);
  return deliverOutbox({
    select: (limit) => selectPendingDevices(db, limit),
    deliver: async (rows) => {
      const devices = rows.flatMap(deviceOf);
      if (devices.length > 0) await env.GEO.putDevices(devices);
    },
    remove: (rows) =>
      deletePendingDevices(
        db,
        rows.map(({ outbox_id }) => outbox_id),
      ),
  });
}

function deviceOf({ source, tracker, removed }: Awaited<ReturnType<typeof selectPendingDevices>>[number]): Device[] {
  if (source && tracker) return [toDevice({ source, tracker })];
  return removed ? [toRemovedDevice(removed)] : [];
}
