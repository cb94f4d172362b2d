import type { Principal } from "#shared/caller/principal.ts";
import type { Geocoder } from "#shared/contract/point/geocoder.ts";
import type { Offence } from "#shared/error/api-error.ts";
import type { Position } from "#shared/geometry/position.ts";

/** Address and coordinates of a row; numbers may be text. */
export type RowLocation = { address?: string; lat?: string | number; lng?: string | number };

/** A geocoder that leaves missing addresses and positions out. */
export const NO_GEOCODER: Geocoder = {
  async geocode(_, { addresses, positions }) {
    return { positions: addresses.map(() => null), addresses: positions.map(() => null) };
  },
};

/** The geocoder, and the caller for whom it is asked. */
export type Geocoding = { geocoder: Geocoder; principal: Principal; provider?: string };

/**
 * Completes missing addresses by coordinates and missing coordinates by addresses, as far as the geocoder knows them.
 */
export async function completeLocations<Row extends RowLocation>(
  rows: Row[],
  { geocoder, principal, provider }: Geocoding,
): Promise<(Omit<Row, keyof RowLocation> & RowLocation)[]> {
  const addresses = [...new Set(rows.flatMap((place) => (lacksPosition(place) ? (place.address ?? []) : [])))];
  const positions = new Map(rows.flatMap((place) => positionToGeocode(place)));
  if (addresses.length === 0 && positions.size === 0) return rows;
  const search = { provider, addresses, positions: [...positions.values()] };
  const found = await geocoder.geocode(principal, search);
  const positionOf = new Map(addresses.map((address, index) => [address, found.positions[index]]));
  const addressOf = new Map([...positions.keys()].map((key, index) => [key, found.addresses[index]]));
  return rows.map((place) => {
    if (lacksPosition(place)) return { ...place, ...positionOf.get(place.address ?? "") };
    const address = place.address ?? addressOf.get(keyOf(place));
    return address ? { ...place, address } : place;
  });
}

/** Reports missing coordinates as an error and sets those that are missing to 0, since an item must show some. */
export function requirePosition<Place extends RowLocation>(place: Place, parameter: string, errors: Offence[]): Place {
  if (!lacksPosition(place)) return place;
  errors.push({ parameter, error: "location must have lat and lng" });
  return { ...place, lat: place.lat ?? 0, lng: place.lng ?? 0 };
}

export function lacksPosition({ lat, lng }: RowLocation): boolean {
  return lat === undefined || lng === undefined;
}

/** The position of a row without an address, if it is valid. */
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
