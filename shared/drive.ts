type Place = { lat: number; lng: number };

/** A track, or a part of one, as geo tells it to others; times are UTC milliseconds. */
export type Drive = { start_time: number; end_time: number; start: Place; end: Place; length_meters: number };
