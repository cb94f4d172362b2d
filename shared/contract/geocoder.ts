import type { Principal } from "../caller/principal.ts";

/** Where addresses are, and what stands where positions are. */
export interface Geocoder {
  /** All of them in one call, each answered in its place; null where nothing is known. */
  geocode(principal: Principal, search: GeocoderSearch): Promise<Geocoded>;
}

/** `provider` as the caller names it, where it does; at most as many as a batch has rows. */
export type GeocoderSearch = { provider?: string; addresses: string[]; positions: Position[] };
export type Geocoded = { positions: (Position | null)[]; addresses: (string | null)[] };
export type Position = { lat: number; lng: number };
