import type { FeatureCollection, Geometry, MultiLineString, Point } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import worldUrl from "world-atlas/countries-50m.json?url";
import placesUrl from "#places?url";

type Countries = Topology<{ land: GeometryCollection; countries: GeometryCollection }>;
export type World = { land: FeatureCollection<Geometry>; borders: MultiLineString };
/** `population` decides from which zoom on a place is named. */
export type Places = FeatureCollection<Point, { name: string; population: number }>;

let world: Promise<World> | undefined;
let places: Promise<Places> | undefined;

/** Land and borders of the built-in base map, loaded once. */
export function loadWorld(): Promise<World> {
  world ??= read<Countries>(worldUrl)
    .then((topology) => ({
      land: feature(topology, topology.objects.land),
      borders: mesh(topology, topology.objects.countries, (one, other) => one !== other),
    }))
    .catch((thrown) => {
      world = undefined;
      throw thrown;
    });
  return world;
}

/** The towns of the built-in base map, loaded once: the map is shown before they are there. */
export function loadPlaces(): Promise<Places> {
  places ??= read<[name: string, lng: number, lat: number, population: number][]>(placesUrl)
    .then((list): Places => ({ type: "FeatureCollection", features: list.map(toPlace) }))
    .catch((thrown) => {
      places = undefined;
      throw thrown;
    });
  return places;
}

function toPlace([name, lng, lat, population]: [string, number, number, number]): Places["features"][number] {
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates: [lng, lat] },
    properties: { name, population },
  };
}

async function read<Content>(url: string): Promise<Content> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}
