import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TrackerCondition } from "../../object/feed.ts";
import type { FeedState } from "../../object/feed-state.ts";
import type { LastGpsPoint, TrackerState } from "./schema.ts";

/** The members of the device that its state depends on. */
export type StateDevice = { source_id: number; model: string; creation_date: number };

export function toTrackerState(device: StateDevice, known: TrackerCondition, nowMs: number): TrackerState {
  const { last_point, movement, inputs, ignition, battery } = known;
  const wired = WIRED_MODELS.has(device.model);
  return {
    source_id: device.source_id,
    gps: gpsOf(last_point),
    connection_status: connectionOf(known, device.creation_date, nowMs),
    movement_status: movement?.status ?? "parked",
    movement_status_update: movement?.since ?? null,
    ...(wired ? { ignition: ignition?.on ?? false, ignition_update: ignition?.changed ?? null } : {}),
    gsm: null,
    last_update: known.last_message,
    battery_level: battery?.level ?? null,
    battery_update: battery?.updated ?? null,
    inputs: wired ? INPUTS.map((bit) => (((inputs?.mask ?? 0) >>> bit) & 1) === 1) : [],
    inputs_update: wired ? (inputs?.updated ?? null) : null,
    outputs: [],
    outputs_update: null,
    additional: known.additional,
    actual_track_update: known.last_moved,
  };
}

/** When the state changes by time alone; null: only with the next message. */
export function nextChangeMs(known: TrackerCondition, registeredMs: number, gapMs: number, nowMs: number) {
  const { last_message, last_fix, last_point, movement } = known;
  const times = [
    last_message === null ? registeredMs + LOST_MS : last_message + OFFLINE_MS + 1,
    ...(last_fix ? [last_fix.time + ACTIVE_MS + 1] : []),
    ...(last_point && movement && movement.status !== "parked" ? [last_point.time + gapMs + 1] : []),
  ].filter((time) => time > nowMs);
  return times.length > 0 ? Math.min(...times) : null;
}

export function toLastGpsPoint(fix: FeedState["last_fix"]): LastGpsPoint | null {
  if (!fix) return null;
  return {
    get_time: fix.time,
    lat: fix.lat,
    lng: fix.lng,
    heading: fix.heading ?? 0,
    satellites: fix.satellites ?? 0,
    speed: Math.round(fix.speed),
    precision: fix.precision || undefined,
  };
}

function gpsOf(point: FeedState["last_point"]): TrackerState["gps"] {
  if (!point) return NOWHERE;
  return {
    updated: point.time,
    signal_level: point.satellites === null ? null : Math.min(100, point.satellites * PERCENT_PER_SATELLITE),
    location: { lat: point.lat, lng: point.lng },
    heading: point.heading ?? 0,
    speed: Math.round(point.speed),
    alt: point.alt ?? 0,
    precision: point.precision ?? undefined,
    gsm_lbs: point.gsm_lbs,
  };
}

/** A device that was off sends old points when it is back: it is connected, but its position is not current. */
function connectionOf(
  { last_message, last_fix }: TrackerCondition,
  registeredMs: number,
  nowMs: number,
): TrackerState["connection_status"] {
  if (last_message === null) return nowMs - registeredMs < LOST_MS ? "just_registered" : "signal_lost";
  if (nowMs - last_message > OFFLINE_MS) return "offline";
  return last_fix && nowMs - last_fix.time <= ACTIVE_MS ? "active" : "idle";
}

const NOWHERE: TrackerState["gps"] = {
  updated: null,
  signal_level: null,
  location: { lat: 0, lng: 0 },
  heading: 0,
  speed: 0,
  alt: 0,
};
const ACTIVE_MS = 5 * MINUTE_MS;
const OFFLINE_MS = 10 * MINUTE_MS;
/** A registered device without any message for this long is missing. */
const LOST_MS = 24 * 60 * MINUTE_MS;
/** Ten satellites count as a full signal. */
const PERCENT_PER_SATELLITE = 10;

/** Models with digital inputs; the first is the ignition by default. */
const WIRED_MODELS = new Set(["generic_gps", "generic_http"]);
const INPUTS = [0, 1, 2, 3, 4, 5, 6, 7];
