import type { FeatureCollection, MultiLineString, Point, Polygon, Position } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import worldUrl from "world-atlas/countries-50m.json?url";
import placesUrl from "#places?url";

type Countries = Topology<{ countries: GeometryCollection }>;
export type World = { land: FeatureCollection<Polygon>; coast: MultiLineString; borders: MultiLineString };
/** `population` decides from which zoom on a place is named. */
export type Places = FeatureCollection<Point, { name: string; population: number }>;

let world: Promise<World> | undefined;
let places: Promise<Places> | undefined;

/** Land and borders of the built-in base map, loaded once. */
export function loadWorld(): Promise<World> {
  world ??= read<Countries>(worldUrl)
    .then((topology) => ({
      land: toPolygons(feature(topology, topology.objects.countries)),
      coast: unwrapLines(mesh(topology, topology.objects.countries, (one, other) => one === other)),
      borders: unwrapLines(mesh(topology, topology.objects.countries, (one, other) => one !== other)),
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

/** Makes a feature of each island: several rings in one are filled wrongly where a tile cuts them. */
function toPolygons({ features }: FeatureCollection): World["land"] {
  const rings = features.flatMap(({ geometry }) => {
    if (geometry.type === "Polygon") return [geometry.coordinates];
    return geometry.type === "MultiPolygon" ? geometry.coordinates : [];
  });
  return {
    type: "FeatureCollection",
    features: rings.map((coordinates) => ({
      type: "Feature",
      geometry: { type: "Polygon", coordinates: coordinates.map((ring) => closeAtPole(unwrap(ring))) },
      properties: {},
    })),
  };
}

function unwrapLines({ type, coordinates }: MultiLineString): MultiLineString {
  return { type, coordinates: coordinates.map(unwrap) };
}

/** Continues a line that crosses the date line beyond 180 degrees: it would go around the world otherwise. */
function unwrap(line: Position[]): Position[] {
  let turns = 0;
  return line.map(([lng = 0, lat = 0], index) => {
    const step = lng - (line[index - 1]?.[0] ?? lng);
    if (Math.abs(step) > 180) turns -= Math.sign(step);
    return [lng + turns * 360, lat];
  });
}

/** Leads the coast of Antarctica, which goes around the pole, along the pole back to its start. */
function closeAtPole(ring: Position[]): Position[] {
  const [first = [0, 0]] = ring;
  const last = ring.at(-1) ?? first;
  if (first[0] === last[0]) return ring;
  return [...ring, [last[0] ?? 0, -90], [first[0] ?? 0, -90], first];
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
