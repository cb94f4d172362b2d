export type Owner = "GATEWAY" | "FLEET" | "TASKS" | "GEO" | "FILES" | "REPORTS";

/** The Worker that serves a path: the one with the longest prefix of whole segments. */
export function ownerOf(path: string): Owner | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const owner = OWNERS.get(path.slice(0, end));
    if (owner) return owner;
  }
  return undefined;
}

const ROUTES: Record<Owner, string[]> = {
  GATEWAY: [
    "/user",
    "/subuser",
    "/api/key",
    "/panel",
    "/dealer",
    "/timezone",
    "/base",
    "/notification",
    "/feedback",
    "/push",
    "/activate",
    "/event/subscription",
    "/webhook",
    "/event/feed",
  ],
  FLEET: [
    "/vehicle",
    "/employee",
    "/department",
    "/driver",
    "/tag",
    "/garage",
    "/retranslator",
    "/plugin",
    "/tariff",
    "/history",
    "/status",
    "/tracker",
  ],
  TASKS: ["/task", "/form", "/checkin", "/delivery", "/sync"],
  GEO: [
    "/zone",
    "/place",
    "/geocoder",
    "/track",
    "/entity",
    "/ingest",
    "/subuser/places",
    "/subuser/zones",
    "/tracker/rule",
    "/tracker/get_state",
    "/tracker/get_states",
    "/tracker/get_last_gps_point",
    "/tracker/stats",
    "/tracker/settings/trip_detection",
    "/tracker/settings/lbs",
    "/tracker/ingest_key",
    "/tracker/sensor/data",
  ],
  FILES: ["/file", "/data", "/static"],
  REPORTS: ["/report"],
};

const OWNERS = new Map(
  // The keys of a literal of this type are its owners.
  (Object.keys(ROUTES) as Owner[]).flatMap((owner) => ROUTES[owner].map((prefix) => [prefix, owner] as const)),
);
