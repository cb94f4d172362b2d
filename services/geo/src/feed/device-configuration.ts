import type { Device } from "#shared/contract/device.ts";
import type { LifecycleEvent } from "#shared/contract/live.ts";
import type { Refusal, Sender } from "../object/sender.ts";

/** Why the sender's points are not taken. */
export function refusalOf(device: Device | undefined, ingestKey: string | null, sender: Sender): Refusal | null {
  if (!device || device.removed || device.device_id !== sender.device_id) return "unknown";
  // Whoever has not the key learns nothing, not even that the device is blocked.
  if (ingestKey !== null && ingestKey !== sender.key) return "key";
  return device.blocked ? "blocked" : null;
}

/** Changes may overtake each other: an older word on a device is ignored. A tracker's next device has a higher source. */
export function isOutdated(device: Device, known: Device | undefined): boolean {
  if (!known) return false;
  return device.source_id === known.source_id ? device.revision < known.revision : device.source_id < known.source_id;
}

/** What a new word on the device means to whoever follows its tracker. */
export function lifecycleEventOf(before: Device | undefined, device: Device): LifecycleEvent | null {
  if (device.removed) return before?.removed ? null : "corrupt";
  if (device.blocked === (before?.blocked ?? false)) return null;
  return device.blocked ? "block" : "unblock";
}
