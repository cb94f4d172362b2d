import type { Geocoded, Geocoder, GeocoderSearch } from "#shared/contract/point/geocoder.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import type { Position } from "#shared/geometry/position.ts";
import type { GeoEnv } from "../env.ts";
import type { Bounds } from "../point/bounds.ts";
import { addressAt, addressesAt, findExactPlaces, searchNames } from "./embedded-gazetteer.ts";
import { readReverse, readSearch, reversePath, searchPath } from "./nominatim.ts";
import type { FoundAddress } from "./schema.ts";

type Geocoding = { db: Database; env: GeoEnv; lang: string };

/** Positions of an address, the likeliest first: from the configured server, or else from the gazetteer. */
export async function findAddress(
  address: string,
  { db, env, lang, bounds }: Geocoding & { bounds?: Bounds },
): Promise<FoundAddress[]> {
  const body = await askServer(env, searchPath(address, lang, bounds));
  const addresses = body === null ? [] : readSearch(body);
  return addresses.length > 0 ? addresses : searchNames(db, address, { lang, bounds });
}

/** The address of a position; undefined if none is known. */
export async function findPosition(
  position: Position,
  { db, env, lang }: Geocoding,
): Promise<FoundAddress | undefined> {
  const body = await askServer(env, reversePath(position, lang));
  const address = body === null ? undefined : readReverse(body);
  if (address) return { ...address, lat: position.lat, lng: position.lng };
  return (await addressAt(db, position, lang)) ?? undefined;
}

/**
 * Answers the address of a position; empty without a place nearby, or if the position was not among those looked up.
 */
export type AddressLookup = (lat: number, lng: number) => string;

/** Looks up addresses of positions in the gazetteer. */
export async function readAddresses(env: GeoEnv, positions: Position[], lang: string): Promise<AddressLookup> {
  const { items } = deduplicate(positions, roundedKey);
  // Without the database, answers go without addresses.
  const near = items.length === 0 ? [] : await addressesAt(openDatabase(env), items, lang).catch(() => []);
  const addresses = new Map(items.map((position, index) => [roundedKey(position), near[index]?.address ?? ""]));
  return (lat, lng) => addresses.get(roundedKey({ lat, lng })) ?? "";
}

/** Completes many rows from the gazetteer: a server that allows one request per second would take hours. */
export async function geocodeFromGazetteer(env: GeoEnv, search: GeocoderSearch, lang: string): Promise<Geocoded> {
  const db = openDatabase(env);
  const [addresses, positions] = [deduplicate(search.addresses, String), deduplicate(search.positions, roundedKey)];
  const [places, near] = await Promise.all([
    findExactPlaces(db, addresses.items, lang),
    addressesAt(db, positions.items, lang),
  ]);
  return {
    positions: addresses.indexes.map((index) => places[index] ?? null),
    addresses: positions.indexes.map((index) => near[index]?.address ?? null),
  };
}

/** The geocoder for batches of rows within this service. */
export function geocoderOf(env: GeoEnv): Geocoder {
  return { geocode: ({ locale }, search) => geocodeFromGazetteer(env, search, languageOf(locale)) };
}

/** The language of a locale such as `de` or `de_DE`; English if it is none. */
export function languageOf(lang: string | undefined): string {
  return /^[a-z]{2,3}(?=$|[_-])/i.exec(lang ?? "")?.[0].toLowerCase() ?? "en";
}

/** Distinct items, and for each given item its index among them. */
function deduplicate<Item>(all: Item[], keyOf: (item: Item) => string) {
  const indexByKey = new Map<string, number>();
  const items: Item[] = [];
  for (const item of all) {
    if (indexByKey.has(keyOf(item))) continue;
    indexByKey.set(keyOf(item), items.length);
    items.push(item);
  }
  return { items, indexes: all.map((item) => indexByKey.get(keyOf(item)) ?? 0) };
}

/** Positions within about 100 meters share an address. */
function roundedKey({ lat, lng }: Position) {
  return `${lat.toFixed(3)},${lng.toFixed(3)}`;
}

async function askServer({ GEOCODER_URL, GEOCODERS }: GeoEnv, path: string) {
  return GEOCODER_URL ? GEOCODERS.getByName("server").ask(path) : null;
}
