import * as z from "zod";
import type { Position } from "#shared/geometry/position.ts";
import type { Bounds } from "../point/bounds.ts";
import type { AddressDetails, FoundAddress } from "./schema.ts";

/** Path and query of a search for addresses on a Nominatim server. */
export function searchPath(address: string, lang: string, bounds?: Bounds): string {
  const box = bounds && { viewbox: [bounds.west, bounds.north, bounds.east, bounds.south].join(",") };
  return pathOf("search", { q: address, limit: "10", ...box }, lang);
}

export function reversePath({ lat, lng }: Position, lang: string): string {
  return pathOf("reverse", { lat: String(lat), lon: String(lng) }, lang);
}

/** The results of a search; empty if the body is not an answer of Nominatim. */
export function readSearch(body: string): FoundAddress[] {
  return parseBody(z.array(NominatimResult), body)?.map(toFoundAddress) ?? [];
}

export function readReverse(body: string): FoundAddress | undefined {
  const result = parseBody(NominatimResult, body);
  return result && toFoundAddress(result);
}

function pathOf(call: string, parameters: Record<string, string>, lang: string) {
  const query = new URLSearchParams({ format: "jsonv2", addressdetails: "1", "accept-language": lang, ...parameters });
  return `/${call}?${query}`;
}

function parseBody<Output>(schema: z.ZodType<Output>, body: string): Output | undefined {
  try {
    return schema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

function toFoundAddress({
  lat,
  lon,
  display_name,
  address,
  boundingbox,
}: z.output<typeof NominatimResult>): FoundAddress {
  const [south, north, west, east] = boundingbox ?? [];
  const hasBox = south !== undefined && north !== undefined && west !== undefined && east !== undefined;
  const details: AddressDetails = {
    country: address.country,
    province: address.state ?? address.region,
    locality: address.city ?? address.town ?? address.village ?? address.hamlet ?? address.municipality,
    street: address.road ?? address.pedestrian,
    house: address.house_number,
    postcode: address.postcode,
    bounds: hasBox ? { nw: { lat: north, lng: west }, se: { lat: south, lng: east } } : undefined,
  };
  return { lat, lng: lon, address: display_name, details };
}

const optionalName = z.string().optional();
const NominatimResult = z.object({
  lat: z.coerce.number().min(-90).max(90),
  lon: z.coerce.number().min(-180).max(180),
  display_name: z.string(),
  address: z
    .object({
      ...{
        country: optionalName,
        state: optionalName,
        region: optionalName,
        city: optionalName,
        town: optionalName,
        village: optionalName,
        hamlet: optionalName,
      },
      ...{
        municipality: optionalName,
        road: optionalName,
        pedestrian: optionalName,
        house_number: optionalName,
        postcode: optionalName,
      },
    })
    .default({}),
  boundingbox: z.array(z.coerce.number()).length(4).optional(),
});
