import type { Device } from "#shared/contract/tracker/device.ts";
import { openDatabase } from "#shared/database/open.ts";
import { deliverOutbox } from "#shared/database/outbox.ts";
import type { FleetEnv } from "../env.ts";
import { deletePendingDevices, selectPendingDevices } from "./device-outbox-queries.ts";
import { toDevice } from "./queries.ts";
import { toRemovedDevice } from "./removed-queries.ts";

/**
 * Delivers changed devices to geo. The call that changed a device did so already, unless its Worker died or geo failed.
 * The current state is sent, and geo ignores a revision lower than the stored one.
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
