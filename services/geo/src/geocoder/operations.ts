import * as z from "zod";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { operation } from "../operation.ts";
import { Bounds, Position } from "../point/schema.ts";
import { findAddress, findPosition, languageOf } from "./geocode.ts";
import { AddressDetails, FoundAddress } from "./schema.ts";

/** Providers that clients may name; all are answered by the same geocoder. */
const PROVIDERS = ["google", "yandex", "progorod", "osm", "locationiq"] as const;
const shared = {
  geocoder: z.enum(PROVIDERS).optional(),
  /** `de` or `de_DE`; by default the user's language. */
  lang: z.string().max(35).optional(),
  with_details: z.boolean().default(false),
};

export const searchAddress = operation("/geocoder/search_address", {
  summary: "Positions of an address, the most likely one first; for a position its address",
  reads: true,
  input: z.object({
    /** Text, `lat,lng` with decimal points, or a location, also as JSON text. */
    q: z.union([z.string().trim().min(1).max(760), Position]),
    /** Results within these bounds come first. */
    bounds: Bounds.optional(),
    ...shared,
  }),
  output: z.object({ locations: z.array(FoundAddress) }),
  errors: [210],
  async run({ q, bounds, lang, with_details }, { db, env, principal }) {
    const geocoding = { db, env, lang: languageOf(lang ?? principal.locale) };
    const position = typeof q === "string" ? positionIn(q) : q;
    const addresses = position
      ? [await findPosition(position, geocoding)].filter((one) => one !== undefined)
      : await findAddress(String(q), { ...geocoding, bounds: bounds && boxOf(bounds) });
    if (addresses.length === 0) throw new ApiError(210);
    return { locations: with_details ? addresses : addresses.map(({ details, ...location }) => location) };
  },
});

export const searchLocation = operation("/geocoder/search_location", {
  summary: "The address of a position",
  reads: true,
  input: z.object({ location: Position, goal: z.enum(["ui", "ui_user_action"]).optional(), ...shared }),
  output: z.object({ value: z.string(), details: AddressDetails.optional() }),
  errors: [210],
  async run({ location, lang, with_details }, { db, env, principal }) {
    const address = await findPosition(location, { db, env, lang: languageOf(lang ?? principal.locale) });
    if (!address) throw new ApiError(210);
    return { value: address.address, ...(with_details ? { details: address.details } : {}) };
  },
});

export const operations = [searchAddress, searchLocation];

function positionIn(text: string): Position | undefined {
  const numbers = /^\s*(-?\d+\.\d+)\s*,\s*(-?\d+\.\d+)\s*$/.exec(text);
  if (numbers) return Position.safeParse({ lat: Number(numbers[1]), lng: Number(numbers[2]) }).data;
  return text.startsWith("{") ? locationIn(text) : undefined;
}

/** The location that queries and forms give as JSON text; undefined: the text is no JSON object. */
function locationIn(text: string): Position | undefined {
  const location = parseJson(text);
  if (location === undefined) return undefined;
  const { data } = Position.safeParse(location);
  if (!data) throw invalid("q", "must have lat and lng of a position");
  return data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function boxOf({ nw, se }: z.output<typeof Bounds>) {
  return { north: nw.lat, west: nw.lng, south: se.lat, east: se.lng };
}
