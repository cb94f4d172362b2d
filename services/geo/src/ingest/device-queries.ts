import { sql } from "drizzle-orm";
import type { Device } from "#shared/contract/tracker/device.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { device } from "../table/device.ts";

/** Trackers by device id, of any account, as a device names no account. */
export async function selectDevices(db: Database, deviceIds: string[]) {
  const rows = await db
    .select({ device_id: device.device_id, tracker_id: device.tracker_id })
    .from(device)
    .where(among(device.device_id, deviceIds));
  return new Map(rows.map(({ device_id, tracker_id }) => [device_id, tracker_id]));
}

/** Stores devices; a message that is outdated changes nothing. */
export async function upsertDevices(db: Database, devices: Device[]) {
  // A removed device stays in the table, so that its requests reach its feed and are refused there.
  const active = devices.filter(({ removed }) => !removed);
  if (active.length === 0) return;
  const rows = active.map(({ device_id, account_id, tracker_id, source_id, revision }) => ({
    device_id,
    account_id,
    tracker_id,
    source_id,
    revision,
  }));
  await db
    .insert(device)
    .values(rows)
    .onConflictDoUpdate({
      target: device.device_id,
      set: {
        account_id: sql`excluded.account_id`,
        tracker_id: sql`excluded.tracker_id`,
        source_id: sql`excluded.source_id`,
        revision: sql`excluded.revision`,
      },
      // A device that was registered again has a higher source, whose revisions begin again.
      setWhere: sql`(${device.source_id}, ${device.revision}) < (excluded.source_id, excluded.revision)`,
    });
}
