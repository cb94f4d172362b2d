import type { Position } from "#shared/contract/geocoder.ts";
import type { Database } from "#shared/database/open.ts";
import type { Bounds } from "../point/bounds.ts";
import { countryName } from "./gazetteer/country.ts";
import { selectNamed } from "./gazetteer/named-queries.ts";
import { type GazetteerPlace, type Near, selectNearest, selectNearestTown } from "./gazetteer/nearest-queries.ts";
import { type AddressQuery, readAddress } from "./gazetteer/query.ts";
import type { FoundAddress } from "./schema.ts";

/** Places of whatever parts of the address the gazetteer knows, the likeliest first. */
export async function searchNames(
  db: Database,
  address: string,
  { lang, bounds }: { lang: string; bounds?: Bounds },
): Promise<FoundAddress[]> {
  const named = await selectNamed(db, [readAddress(address, lang)], { bounds, most: MOST_FOUND });
  return named.map(({ place }) => ({ ...locate(place, lang), lat: place.lat, lng: place.lng }));
}

/** For each address the place that all of it says, nothing else; null: there is none, or it says more than the gazetteer has. */
export async function placesNamed(db: Database, addresses: string[], lang: string): Promise<(Position | null)[]> {
  const queries = addresses.map((address) => readAddress(address, lang));
  const named = await selectNamed(db, queries, { most: 1 });
  const found = new Map(named.map((one) => [one.search, one]));
  return queries.map((query, index) => {
    const one = found.get(index);
    return one?.isWhole && saysAll(query, one.context) ? { lat: one.place.lat, lng: one.place.lng } : null;
  });
}

/** The address of the nearest place, else of the nearest town; null where nobody lives for hundreds of kilometers. */
export async function addressAt(db: Database, position: Position, lang: string): Promise<FoundAddress | null> {
  const [near] = await selectNearest(db, [position]);
  return nearTo(position, near ?? (await selectNearestTown(db, position)), lang);
}

/** For each position the address of the nearest place; null where nobody lives. */
export async function addressesAt(db: Database, positions: Position[], lang: string): Promise<(FoundAddress | null)[]> {
  const near = await selectNearest(db, positions);
  return positions.map((position, index) => nearTo(position, near[index] ?? null, lang));
}

function nearTo(position: Position, near: Near | null, lang: string): FoundAddress | null {
  if (!near) return null;
  const away = near.meters < NEARBY_METERS ? "" : ` (${Math.round(near.meters / 1000)} km)`;
  return { ...locate(near.place, lang, away), lat: position.lat, lng: position.lng };
}

/** How a place is addressed. */
function locate({ name, province, country }: GazetteerPlace, lang: string, away = "") {
  const details = { country: countryName(country, lang), locality: name, ...(province === null ? {} : { province }) };
  const above = province === null || province === name ? [] : [province];
  return { address: [name + away, ...above, details.country].join(", "), details };
}

function saysAll({ parts, hasHouse }: AddressQuery, context: number) {
  return !hasHouse && context >= parts - 1;
}

const MOST_FOUND = 10;
/** What is farther away than this is not the place itself. */
const NEARBY_METERS = 5_000;
