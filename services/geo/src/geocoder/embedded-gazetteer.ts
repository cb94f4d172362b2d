import type { Database } from "#shared/database/open.ts";
import type { Position } from "#shared/geometry/position.ts";
import type { Bounds } from "../point/bounds.ts";
import { type AddressQuery, parseAddress } from "./gazetteer/address-query.ts";
import { countryName } from "./gazetteer/country.ts";
import { selectNamedPlaces } from "./gazetteer/named-queries.ts";
import {
  type GazetteerPlace,
  type NearestPlace,
  selectNearest,
  selectNearestTown,
} from "./gazetteer/nearest-queries.ts";
import type { FoundAddress } from "./schema.ts";

/** Places whose names match parts of the address, the likeliest first. */
export async function searchNames(
  db: Database,
  address: string,
  { lang, bounds }: { lang: string; bounds?: Bounds },
): Promise<FoundAddress[]> {
  const places = await selectNamedPlaces(db, [parseAddress(address, lang)], { bounds, limit: MAX_FOUND });
  return places.map(({ place }) => ({ ...describePlace(place, lang), lat: place.lat, lng: place.lng }));
}

/**
 * For each address the position of the place that matches all of it; null: there is none, or the address has a house.
 */
export async function findExactPlaces(db: Database, addresses: string[], lang: string): Promise<(Position | null)[]> {
  const queries = addresses.map((address) => parseAddress(address, lang));
  const places = await selectNamedPlaces(db, queries, { limit: 1 });
  const placeByQuery = new Map(places.map((one) => [one.search, one]));
  return queries.map((query, index) => {
    const one = placeByQuery.get(index);
    return one?.isWhole && matchesWholeAddress(query, one.context) ? { lat: one.place.lat, lng: one.place.lng } : null;
  });
}

/** The address of the nearest place, or else of the nearest town; null: there is none within hundreds of kilometers. */
export async function addressAt(db: Database, position: Position, lang: string): Promise<FoundAddress | null> {
  const [near] = await selectNearest(db, [position]);
  return toFoundAddress(position, near ?? (await selectNearestTown(db, position)), lang);
}

/** For each position the address of the nearest place; null: there is none nearby. */
export async function addressesAt(db: Database, positions: Position[], lang: string): Promise<(FoundAddress | null)[]> {
  const near = await selectNearest(db, positions);
  return positions.map((position, index) => toFoundAddress(position, near[index] ?? null, lang));
}

function toFoundAddress(position: Position, near: NearestPlace | null, lang: string): FoundAddress | null {
  if (!near) return null;
  const away = near.meters < MAX_NEARBY_METERS ? "" : ` (${Math.round(near.meters / 1000)} km)`;
  return { ...describePlace(near.place, lang, away), lat: position.lat, lng: position.lng };
}

/** The address of a place in a language. */
function describePlace({ name, province, country }: GazetteerPlace, lang: string, away = "") {
  const details = { country: countryName(country, lang), locality: name, ...(province === null ? {} : { province }) };
  const above = province === null || province === name ? [] : [province];
  return { address: [name + away, ...above, details.country].join(", "), details };
}

function matchesWholeAddress({ parts, hasHouse }: AddressQuery, context: number) {
  return !hasHouse && context >= parts - 1;
}

const MAX_FOUND = 10;
/** Beyond this distance the address includes the distance. */
const MAX_NEARBY_METERS = 5_000;
