import type { LifecycleEvent } from "#shared/contract/live.ts";
import type { Device } from "#shared/contract/tracker/device.ts";
import type { HashEnv } from "#shared/secret/keyed-hash.ts";
import { hashIngestKey } from "../object/ingest-key.ts";
import type { Refusal, Sender } from "../object/sender.ts";

/** Why the feed refuses the sender's points; null: it accepts them. */
export function refusalOf(
  device: Device | undefined,
  keyHash: string | null,
  { device_id, key }: Sender,
  env: HashEnv,
): Refusal | null {
  if (!device || device.removed || device.device_id !== device_id) return "unknown";
  // A sender without the key must not learn whether the device is blocked.
  if (keyHash !== null && (key === null || hashIngestKey(key, device.tracker_id, env) !== keyHash)) return "key";
  return device.blocked ? "blocked" : null;
}

/**
 * True for a configuration older than the known one: messages may arrive out of order. A tracker's next device has a
 * higher `source_id`, and its revisions begin again.
 */
export function isOutdated(device: Device, known: Device | undefined): boolean {
  if (!known) return false;
  return device.source_id === known.source_id ? device.revision < known.revision : device.source_id < known.source_id;
}

/** The lifecycle event that a new configuration means to the tracker's subscribers; null: none. */
export function lifecycleEventOf(before: Device | undefined, device: Device): LifecycleEvent | null {
  if (device.removed) return before?.removed ? null : "corrupt";
  if (device.blocked === (before?.blocked ?? false)) return null;
  return device.blocked ? "block" : "unblock";
}
