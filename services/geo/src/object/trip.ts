import type { Bounds } from "../point/bounds.ts";
import type { PreviousPoint } from "../point/measured.ts";

export type TripSettings = {
  min_idle_duration_minutes: number;
  /** km/h; 0: never idle, so that only gaps end a trip. */
  idle_speed_threshold: number;
  ignition_aware: boolean;
  motion_sensor_aware: boolean;
};

export const DEFAULT_TRIP_SETTINGS: TripSettings = {
  min_idle_duration_minutes: 5,
  idle_speed_threshold: 3,
  ignition_aware: false,
  motion_sensor_aware: false,
};

export type TripRules = TripSettings & { gapMs: number };

export type Trip = {
  /** `single_report`: a lone point, further than the gap from its neighbours in time. */
  kind: "regular" | "single_report";
  start_time: number;
  start_lat: number;
  start_lng: number;
  end_time: number;
  end_lat: number;
  end_lng: number;
  length_meters: number;
  max_speed_kmh: number;
  points: number;
  lbs_points: number;
  bounds: Bounds;
  /** Meters; only for a single report. */
  precision: number | null;
};

/** The state of trip detection after a point. Plain data, as it is stored as JSON. */
export type TripState = {
  last: (PreviousPoint & { lbs: boolean }) | null;
  ignition: boolean | null;
  /** The time of the tracker's first point. */
  begun: number | null;
  /** When the last trip ended. */
  moved: number | null;
  trip: RunningTrip | null;
};

/**
 * A trip up to its last fast point, and the slow points since, which join the trip if another fast point follows in
 * time.
 */
export type RunningTrip = Trip & {
  alone: boolean;
  /** True if only a distance across a gap suggests the trip: enough for a single report, not for a trip. */
  guessed: boolean;
  slow: Slow | null;
};
export type Slow = { since: number; length_meters: number; points: number; lbs_points: number; bounds: Bounds };

export function tripStart(): TripState {
  return { last: null, ignition: null, begun: null, moved: null, trip: null };
}

/** A trip with the id that `track/list` shows. */
export type NumberedTrip = Trip & { id: number };

export type Movement = { status: "moving" | "stopped" | "parked"; since: number };
