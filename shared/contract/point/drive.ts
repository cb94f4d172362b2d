import type { MeterValues } from "./meter.ts";

/** `address` is empty where it is unknown, and within a track. */
type AddressedPosition = { lat: number; lng: number; address: string };

/** A track, or a part of one. Times are UTC milliseconds. */
export type Drive = {
  start_time: number;
  end_time: number;
  start: AddressedPosition;
  end: AddressedPosition;
  length_meters: number;
  /** Quantities in the order of the request; null when too many points would have to be read for them. */
  start_values: number[] | null;
  end_values: number[] | null;
};
/**
 * Drives, and the quantities at the moments from which a counter counts; `metered` is null when none were requested.
 */
export type Drives = { drives: Drive[]; metered: MeterValues | null };
