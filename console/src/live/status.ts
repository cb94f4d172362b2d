import type { LiveState } from "./live-states.ts";

/** The statuses of objects, in the order of the filters. */
export const STATUSES = ["moving", "stopped", "parked", "noSatellites", "offline", "waiting", "blocked"] as const;
export type Status = (typeof STATUSES)[number];

/** Colours of marks on the map and in the list. Shapes say the same to people who do not see the colours. */
export const STATUS_COLORS: Record<Status, string> = {
  moving: "#2b8a3e",
  stopped: "#d9480f",
  parked: "#1864ab",
  noSatellites: "#862e9c",
  offline: "#5c6b7a",
  waiting: "#868e96",
  blocked: "#c92a2a",
};

export function statusOf(isBlocked: boolean, state: LiveState | undefined): Status {
  if (isBlocked) return "blocked";
  if (!state?.gps.updated) return "waiting";
  const { connection_status, movement_status } = state;
  if (connection_status === "offline") return "offline";
  if (connection_status === "signal_lost") return "noSatellites";
  return movement_status;
}
