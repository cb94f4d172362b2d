import type { Geocoded, Geocoder, GeocoderSearch, Position } from "#shared/contract/geocoder.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import type { GeoEnv } from "../env.ts";
import type { Bounds } from "../point/bounds.ts";
import { addressAt, addressesAt, findExactPlaces, searchNames } from "./embedded-gazetteer.ts";
import { readReverse, readSearch, reversePath, searchPath } from "./nominatim.ts";
import type { FoundAddress } from "./schema.ts";

type Geocoding = { db: Database; env: GeoEnv; lang: string };

/** The server's answer where there is one, else the gazetteer's; the likeliest first. */
export async function findAddress(
  address: string,
  { db, env, lang, bounds }: Geocoding & { bounds?: Bounds },
): Promise<FoundAddress[]> {
  const body = await askServer(env, searchPath(address, lang, bounds));
  const found = body === null ? [] : readSearch(body);
  return found.length > 0 ? found : searchNames(db, address, { lang, bounds });
}

/** The same for a position; undefined where nothing is known of it. */
export async function findPosition(
  position: Position,
  { db, env, lang }: Geocoding,
): Promise<FoundAddress | undefined> {
  const body = await askServer(env, reversePath(position, lang));
  const found = body === null ? undefined : readReverse(body);
  if (found) return { ...found, lat: position.lat, lng: position.lng };
  return (await addressAt(db, position, lang)) ?? undefined;
}

/** The address of a position; empty where nobody lives, or where it is not among those that were asked for. */
export type AddressLookup = (lat: number, lng: number) => string;

/** From the gazetteer alone. */
export async function readAddresses(env: GeoEnv, positions: Position[], lang: string): Promise<AddressLookup> {
  const { items } = deduplicate(positions, keyOf);
  // What is addressed is shown also while the database is away.
  const near = items.length === 0 ? [] : await addressesAt(openDatabase(env), items, lang).catch(() => []);
  const addresses = new Map(items.map((position, index) => [keyOf(position), near[index]?.address ?? ""]));
  return (lat, lng) => addresses.get(keyOf({ lat, lng })) ?? "";
}

/** What many rows lack, from the gazetteer alone: a server that is asked once a second would take hours. */
export async function geocodeFromGazetteer(env: GeoEnv, search: GeocoderSearch, lang: string): Promise<Geocoded> {
  const db = openDatabase(env);
  const [addresses, positions] = [deduplicate(search.addresses, String), deduplicate(search.positions, keyOf)];
  const [found, near] = await Promise.all([
    findExactPlaces(db, addresses.items, lang),
    addressesAt(db, positions.items, lang),
  ]);
  return {
    positions: addresses.places.map((place) => found[place] ?? null),
    addresses: positions.places.map((place) => near[place]?.address ?? null),
  };
}

/** For whoever in this service completes rows. */
export function geocoderOf(env: GeoEnv): Geocoder {
  return { geocode: ({ locale }, search) => geocodeFromGazetteer(env, search, languageOf(locale)) };
}

/** As the caller's language is told: `de`, `de_DE`; English where it is none. */
export function languageOf(lang: string | undefined): string {
  return /^[a-z]{2,3}(?=$|[_-])/i.exec(lang ?? "")?.[0].toLowerCase() ?? "en";
}

/** Each once, and for each of the given where among those it is. */
function deduplicate<Item>(given: Item[], roundedKey: (item: Item) => string) {
  const places = new Map<string, number>();
  const items: Item[] = [];
  for (const item of given) {
    if (places.has(roundedKey(item))) continue;
    places.set(roundedKey(item), items.length);
    items.push(item);
  }
  return { items, places: given.map((item) => places.get(roundedKey(item)) ?? 0) };
}

/** Within a hundred meters the nearest place is the same. */
function keyOf({ lat, lng }: Position) {
  return `${lat.toFixed(3)},${lng.toFixed(3)}`;
}

async function askServer({ GEOCODER_URL, GEOCODERS }: GeoEnv, path: string) {
  return GEOCODER_URL ? GEOCODERS.getByName("server").ask(path) : null;
}
