import type { LiveState } from "../../../console/src/live/live-states.ts";
import type { Tracker } from "../../../console/src/live/objects.ts";

/** The state of a tracker that moves, as the socket sends it. */
export function stateOf(source_id: number, changes: Partial<LiveState> = {}): LiveState {
  const location = { lat: 48, lng: 11 };
  return {
    source_id,
    gps: { updated: "2026-05-02 10:15:00", signal_level: 90, location, heading: 10, speed: 50, alt: 0 },
    ...{ connection_status: "active", movement_status: "moving", movement_status_update: null, last_update: null },
    ...changes,
  };
}

/** A tracker as /tracker/list answers it. */
export function trackerOf(id: number, label: string, changes: Partial<Tracker> = {}): Tracker {
  const source = { id: id + 100, device_id: `86000${id}`, model: "generic_gps", blocked: false, tariff_id: 1 };
  return {
    ...{ id, label, clone: false, group_id: 0, tag_bindings: [] },
    source: { ...source, status_listing_id: null, creation_date: "2026-05-02", tariff_end_date: null, phone: null },
    ...changes,
  };
}
