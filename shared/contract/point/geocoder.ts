import type { Position } from "#shared/geometry/position.ts";
import type { Principal } from "../../caller/principal.ts";

/** Geocoders that clients may name; all are answered by the same one. */
export const GEOCODERS = ["google", "yandex", "progorod", "osm", "locationiq"] as const;

/** Addresses of positions and positions of addresses. */
export interface Geocoder {
  /** Answers in the order of the search; null where nothing is known. */
  geocode(principal: Principal, search: GeocoderSearch): Promise<Geocoded>;
}

/** `provider` as the caller names it. At most as many entries as a batch has rows. */
export type GeocoderSearch = { provider?: string; addresses: string[]; positions: Position[] };
export type Geocoded = { positions: (Position | null)[]; addresses: (string | null)[] };
