import type { FeatureCollection, MultiLineString, Point, Polygon, Position } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import worldUrl from "world-atlas/countries-50m.json?url";
import placesUrl from "#places?url";

type Countries = Topology<{ countries: GeometryCollection }>;
export type World = { land: FeatureCollection<Polygon>; coast: MultiLineString; borders: MultiLineString };
/** `population` decides from which zoom on a place is named. */
export type Places = FeatureCollection<Point, { name: string; population: number }>;

/** Land and borders of the built-in base map. */
export async function loadWorld(): Promise<World> {
  const topology = await read<Countries>(worldUrl);
  const { countries } = topology.objects;
  return {
    land: toPolygons(feature(topology, countries)),
    coast: unwrapLines(mesh(topology, countries, (one, other) => one === other)),
    borders: unwrapLines(mesh(topology, countries, (one, other) => one !== other)),
  };
}

/** The towns of the built-in base map. */
export async function loadPlaces(): Promise<{ places: Places }> {
  const list = await read<[name: string, lng: number, lat: number, population: number][]>(placesUrl);
  return { places: { type: "FeatureCollection", features: list.map(toPlace) } };
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
