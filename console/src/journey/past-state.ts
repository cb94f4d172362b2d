import type { Reply } from "../../../clients/typescript/src/index.ts";
import type { LiveState } from "../live/live-states.ts";

type PastPosition = Reply<"/track/position/list">["list"][number];

/** A position of the past as the map and the list take it; undefined for a tracker that they do not show. */
export function toPastState(position: PastPosition, source_id: number | undefined): LiveState | undefined {
  if (source_id === undefined) return undefined;
  const { lat, lng, heading, speed, get_time, movement_status } = position;
  return {
    ...{ source_id, movement_status, movement_status_update: null, last_update: null, connection_status: "active" },
    gps: { updated: get_time, signal_level: null, location: { lat, lng }, heading, speed, alt: 0 },
  };
}
