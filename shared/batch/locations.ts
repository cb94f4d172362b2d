import type { Principal } from "#shared/caller/principal.ts";
import type { Geocoder, Position } from "#shared/contract/geocoder.ts";
import type { Offence } from "#shared/error/api-error.ts";

/** What a row says of a place; numbers may be text. */
export type RowLocation = { address?: string; lat?: string | number; lng?: string | number };

/** Knows nothing: what a row leaves out stays out. */
export const NO_GEOCODER: Geocoder = {
  async geocode(_, { addresses, positions }) {
    return { positions: addresses.map(() => null), addresses: positions.map(() => null) };
  },
};

/** Who fills in what is missing, and for whom. */
export type Geocoding = { geocoder: Geocoder; principal: Principal; provider?: string };

/** The rows, addresses completed by their coordinates and coordinates by their addresses, as far as they are known. */
export async function completeLocations<Row extends RowLocation>(
  rows: Row[],
  { geocoder, principal, provider }: Geocoding,
): Promise<(Omit<Row, keyof RowLocation> & RowLocation)[]> {
  const addresses = [...new Set(rows.flatMap((place) => (lacksPosition(place) ? (place.address ?? []) : [])))];
  const positions = new Map(rows.flatMap((place) => positionToGeocode(place)));
  if (addresses.length === 0 && positions.size === 0) return rows;
  const asked = { provider, addresses, positions: [...positions.values()] };
  const found = await geocoder.geocode(principal, asked);
  const positionOf = new Map(addresses.map((address, index) => [address, found.positions[index]]));
  const addressOf = new Map([...positions.keys()].map((key, index) => [key, found.addresses[index]]));
  return rows.map((place) => {
    if (lacksPosition(place)) return { ...place, ...positionOf.get(place.address ?? "") };
    const address = place.address ?? addressOf.get(keyOf(place));
    return address ? { ...place, address } : place;
  });
}

/** A place that has coordinates, be they nowhere and an error: without, a thing has none, and an item must show one. */
export function requirePosition<Place extends RowLocation>(place: Place, parameter: string, errors: Offence[]): Place {
  if (!lacksPosition(place)) return place;
  errors.push({ parameter, error: "location must have lat and lng" });
  return { ...place, lat: 0, lng: 0 };
}

export function lacksPosition({ lat, lng }: RowLocation): boolean {
  return lat === undefined || lng === undefined;
}

/** Of a place without an address; what is no number is asked of nobody. */
function positionToGeocode(place: RowLocation): [string, Position][] {
  const { address, lat, lng } = place;
  const position = { lat: Number(lat), lng: Number(lng) };
  if (address !== undefined || !isOnEarth(position)) return [];
  return [[keyOf(place), position]];
}

function isOnEarth({ lat, lng }: Position) {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
}

function keyOf({ lat, lng }: RowLocation) {
  return `${lat} ${lng}`;
}
