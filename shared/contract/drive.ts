import type { Metered } from "./meter.ts";

/** The address is empty where it is not known; so it is in the middle of a track. */
type AddressedPosition = { lat: number; lng: number; address: string };

/** A track, or a part of one, as geo tells it to others; times are UTC milliseconds. */
export type Drive = {
  start_time: number;
  end_time: number;
  start: AddressedPosition;
  end: AddressedPosition;
  length_meters: number;
  /** Quantities in the order in which they were asked for; null: for that too many points would have to be read. */
  start_values: number[] | null;
  end_values: number[] | null;
};
/** With the quantities at the moments from which a counter counts; null where none was asked for. */
export type Drives = { drives: Drive[]; metered: Metered | null };
