/** Ways in which a device sends its points. */
export const WAYS = ["osmand", "owntracks", "overland", "tracker", "program"] as const;
export type Way = (typeof WAYS)[number];

type Registration = { model: string; plugin_id: number; idKind: "assigned" | "imei" | "name" };

/** How a device of each way is registered; the server gives telephones their ids. */
export const REGISTRATIONS: Record<Way, Registration> = {
  osmand: { model: "mobile_app", plugin_id: 35, idKind: "assigned" },
  owntracks: { model: "mobile_app", plugin_id: 35, idKind: "assigned" },
  overland: { model: "mobile_app", plugin_id: 35, idKind: "assigned" },
  tracker: { model: "generic_gps", plugin_id: 44, idKind: "imei" },
  program: { model: "generic_http", plugin_id: 44, idKind: "name" },
};

/** Settings to enter on the device, and the content of the code that does it by itself. */
export type DeviceSettings = {
  address: string;
  deviceId: string;
  key: string | undefined;
  /** A link that sets the app up; else the address. */
  code: string;
  /** A call that sends a point, for programs. */
  example: string | undefined;
};

const PATHS: Record<Way, string> = {
  osmand: "osmand",
  owntracks: "owntracks",
  overland: "overland",
  tracker: "osmand",
  program: "points",
};
/** The number that OwnTracks has for sending by HTTP. */
const OWNTRACKS_HTTP = 3;
/** OwnTracks names a device by two characters on its map. */
const SHORT_NAME_CHARS = 2;

export function isWay(text: string | undefined): text is Way {
  return WAYS.some((way) => way === text);
}

export function settingsOf(way: Way, origin: string, deviceId: string, key?: string): DeviceSettings {
  const path = `${origin}/api-v2/ingest/${PATHS[way]}`;
  // Programs send the key in a header; the others have no place for it but the address.
  const query = new URLSearchParams({
    ...(way === "owntracks" || way === "overland" ? { id: deviceId } : {}),
    ...(key && way !== "program" ? { key } : {}),
  });
  const address = query.size > 0 ? `${path}?${query}` : path;
  const common = { address, deviceId, key, example: undefined };
  if (way === "owntracks") return { ...common, code: ownTracksLink(address, deviceId) };
  if (way === "overland")
    return { ...common, code: `overland://setup?${new URLSearchParams({ url: address, device_id: deviceId })}` };
  if (way === "program") return { ...common, code: address, example: toCurl(address, deviceId, key) };
  return { ...common, code: address };
}

/** A random key of 32 characters. */
export function newIngestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function ownTracksLink(url: string, deviceId: string): string {
  const tid = deviceId.slice(-SHORT_NAME_CHARS);
  const configuration = { _type: "configuration", mode: OWNTRACKS_HTTP, url, deviceId, tid };
  return `owntracks:///config?inline=${encodeURIComponent(btoa(JSON.stringify(configuration)))}`;
}

function toCurl(address: string, device_id: string, key: string | undefined): string {
  const points = [{ time: "2026-01-31T12:00:00Z", lat: 48.137, lng: 11.575, speed: 30, heading: 90 }];
  const lines = [
    `curl ${address}`,
    "-H 'Content-Type: application/json'",
    ...(key ? [`-H 'X-Ingest-Key: ${key}'`] : []),
    `-d '${JSON.stringify({ device_id, points })}'`,
  ];
  return lines.join(" \\\n  ");
}
