import { expect, test } from "vitest";
import type { Principal } from "#shared/caller/principal.ts";
import type { Geocoder, GeocoderSearch } from "#shared/contract/point/geocoder.ts";
import type { Offence } from "#shared/error/api-error.ts";
import { completeLocations, NO_GEOCODER, requirePosition } from "./locations.ts";

// The geocoder of the test asks nothing of it.
const principal = {} as Principal;

function geocoderOf(searches: GeocoderSearch[]): Geocoder {
  return {
    async geocode(_, search) {
      searches.push(search);
      return {
        positions: search.addresses.map((address) => (address === "Main St 1" ? { lat: 52, lng: 13 } : null)),
        addresses: search.positions.map(({ lat }) => (lat === 40 ? "Side St 2" : null)),
      };
    },
  };
}

test("completeLocations asks the geocoder once for all rows of a batch, with each address and position once", async () => {
  const searches: GeocoderSearch[] = [];
  const rows = [
    { label: "a", address: "Main St 1" },
    { label: "b", lat: "40", lng: "8" },
    { label: "c", address: "Main St 1" },
    { label: "d", lat: "40", lng: "8" },
    { label: "e", address: "nowhere" },
    { label: "f", lat: "41", lng: "8" },
    { label: "g", lat: "91", lng: "8" },
    { label: "h", address: "as given", lat: "1", lng: "2" },
    { label: "i" },
  ];
  const placed = await completeLocations(rows, { geocoder: geocoderOf(searches), principal, provider: "osm" });
  expect(searches).toEqual([
    {
      provider: "osm",
      addresses: ["Main St 1", "nowhere"],
      positions: [
        { lat: 40, lng: 8 },
        { lat: 41, lng: 8 },
      ],
    },
  ]);
  expect(placed).toEqual([
    { label: "a", address: "Main St 1", lat: 52, lng: 13 },
    { label: "b", address: "Side St 2", lat: "40", lng: "8" },
    { label: "c", address: "Main St 1", lat: 52, lng: 13 },
    { label: "d", address: "Side St 2", lat: "40", lng: "8" },
    ...rows.slice(4),
  ]);
});

test("completeLocations asks the geocoder nothing for rows that are complete", async () => {
  const searches: GeocoderSearch[] = [];
  const rows = [{ address: "Main St 1", lat: "1", lng: "2" }, {}];
  expect(await completeLocations(rows, { geocoder: geocoderOf(searches), principal })).toEqual(rows);
  expect(searches).toEqual([]);
});

test("requirePosition puts an unknown address at 0/0 with an error, and refuses a single coordinate, which it keeps", async () => {
  const errors: Offence[] = [];
  const rows = await completeLocations([{ address: "nowhere" }, { lat: "5" }], { geocoder: NO_GEOCODER, principal });
  expect(rows.map((row) => requirePosition(row, "center", errors))).toEqual([
    { address: "nowhere", lat: 0, lng: 0 },
    { lat: "5", lng: 0 },
  ]);
  const error = { parameter: "center", error: "location must have lat and lng" };
  expect(errors).toEqual([error, error]);
});
