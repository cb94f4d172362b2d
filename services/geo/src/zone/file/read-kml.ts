import sax from "sax";
import { ApiError } from "#shared/error/api-error.ts";
import { NewZone, type ZonePoint } from "../schema.ts";

/** The zones that a KML document shows: points become circles, lines sausages, and polygons lose their holes. */
export function zonesOfKml(chunks: Iterable<string>, default_radius: number): NewZone[] {
  const reader = new KmlReader(default_radius);
  const parser = sax.parser(true);
  parser.onerror = () => refuse();
  parser.onopentag = ({ name, attributes }) => reader.open(localOf(name), String(attributes.name ?? ""));
  parser.ontext = (text) => reader.read(text);
  parser.oncdata = (text) => reader.read(text);
  parser.onclosetag = (name) => reader.close(localOf(name));
  for (const chunk of chunks) parser.write(chunk);
  parser.close();
  return reader.zones;
}

type Geometry = { type: NewZone["type"]; places: Place[] };
type Place = { lat: number; lng: number };
type Feature = { name: string; geometries: Geometry[]; radius: number | undefined };

/** Keeps of the document what is open, and the zones of what is closed. */
class KmlReader {
  readonly zones: NewZone[] = [];
  #path: string[] = [];
  #features: Feature[] = [];
  #text = "";
  #data = "";
  #unnamed = 0;
  #points = 0;

  #default_radius: number;

  constructor(default_radius: number) {
    this.#default_radius = default_radius;
  }

  open(name: string, dataName: string) {
    if (this.#path.length === 0 && !ROOTS.has(name)) refuse();
    if (FEATURES.has(name)) this.#features.push({ name: "", geometries: [], radius: undefined });
    if (name === "Data" || name === "SimpleData") this.#data = dataName;
    this.#path.push(name);
    this.#text = "";
  }

  read(text: string) {
    if (READ.has(this.#path.at(-1) ?? "")) this.#text += text;
  }

  close(name: string) {
    this.#path.pop();
    const [parent, grandparent] = [this.#path.at(-1) ?? "", this.#path.at(-2)];
    const feature = this.#features.at(-1);
    if (feature && name === "name" && FEATURES.has(parent)) feature.name = this.#text.trim();
    if (feature && (name === "value" || name === "SimpleData") && this.#data === "radius") {
      feature.radius = radiusOf(this.#text);
    }
    if (feature && name === "coordinates") this.#addGeometry(feature, parent, grandparent);
    if (name === "Placemark" && feature) this.#addZones(feature);
    if (FEATURES.has(name)) this.#features.pop();
    this.#text = "";
  }

  #addGeometry(feature: Feature, parent: string, grandparent: string | undefined) {
    const type = parent === "LinearRing" ? RINGS[grandparent ?? ""] : FIGURES[parent];
    if (!type || !this.#path.includes("Placemark")) return;
    const places = placesOf(this.#text);
    this.#points += places.length;
    if (this.#points > MOST_POINTS) throw new ApiError(9);
    feature.geometries.push({ type, places });
  }

  #addZones({ geometries, radius = this.#default_radius }: Feature) {
    if (geometries.length === 0) return;
    const label = this.#labelOf();
    for (const geometry of geometries) this.zones.push(zoneOf(geometry, label, radius));
    if (this.zones.length > MOST_ZONES) throw new ApiError(9);
  }

  /** The names on the way to the Placemark; of a long one the end, which tells more. */
  #labelOf() {
    const placemark = this.#features.at(-1);
    if (placemark?.name === "") this.#unnamed += 1;
    const names = this.#features.map(({ name }) => name).filter((name) => name !== "");
    const label = [...names, ...(placemark?.name === "" ? [`#${this.#unnamed}`] : [])].join(" / ");
    return [...label].slice(-LONGEST_LABEL).join("");
  }
}

function zoneOf({ type, places }: Geometry, label: string, radius: number): NewZone {
  const [first] = places;
  if (!first) return refuse();
  if (type === "circle") return NewZone.parse({ type, label, center: first, radius });
  if (type === "polygon") return NewZone.parse({ type, label, points: opened(places).map((place) => point(place)) });
  const last = places.length - 1;
  const points = places.map((place, index) => point(place, index === 0 || index === last));
  return NewZone.parse({ type, label, radius, points });
}

/** A ring's last point is its first again. */
function opened(places: Place[]) {
  const [first, last] = [places[0], places.at(-1)];
  const isClosed = places.length > 1 && first?.lat === last?.lat && first?.lng === last?.lng;
  return isClosed ? places.slice(0, -1) : places;
}

function point({ lat, lng }: Place, node = false): ZonePoint {
  return { lat, lng, node };
}

/** Tuples of longitude, latitude and perhaps a height; some writers put commas between them, too. */
function placesOf(text: string): Place[] {
  return text
    .split(/\s+/)
    .filter((tuple) => tuple !== "")
    .flatMap((tuple) => {
      const numbers = tuple.split(",").map((number) => (number === "" ? Number.NaN : Number(number)));
      if (numbers.length > 3 && numbers.length % 3 !== 0) refuse();
      const size = Math.min(3, numbers.length);
      return Array.from({ length: numbers.length / size }, (_, index) => placeOf(numbers.slice(index * size)));
    });
}

function placeOf([lng = Number.NaN, lat = Number.NaN]: number[]): Place {
  if (!(Math.abs(lng) <= 180 && Math.abs(lat) <= 90)) refuse();
  return { lat, lng };
}

function radiusOf(text: string) {
  const radius = Math.round(Number(text));
  return radius >= 1 && radius <= 300_000 ? radius : undefined;
}

function localOf(name: string) {
  return name.slice(name.indexOf(":") + 1);
}

function refuse(): never {
  throw new ApiError(234);
}

const ROOTS = new Set(["kml", "Document", "Folder", "Placemark"]);
const FEATURES = new Set(["Document", "Folder", "Placemark"]);
const READ = new Set(["name", "coordinates", "value", "SimpleData"]);
const FIGURES: Record<string, NewZone["type"]> = { Point: "circle", LineString: "sausage" };
const RINGS: Record<string, NewZone["type"]> = { outerBoundaryIs: "polygon" };
const LONGEST_LABEL = 255;
// What one isolate and one statement hold.
const MOST_ZONES = 5000;
const MOST_POINTS = 200_000;
