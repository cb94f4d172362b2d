import sax from "sax";
import { ApiError, isApiError } from "#shared/error/api-error.ts";
import { NewZone, type ZonePoint } from "../schema.ts";
import { type Shape, shapeOf } from "../shape.ts";

/** A zone to be, with its figure. */
export type ReadZone = { input: NewZone; shape: Shape };
/** A placemark that cannot become one; counted from 0. */
export type Skipped = { index: number; name: string; reason: string };

/**
 * The zones that a KML document shows: points become circles, lines sausages, and polygons lose their holes. What cannot
 * be a zone is passed over and told, unless nothing else is there.
 */
export function zonesOfKml(chunks: Iterable<string>, default_radius: number) {
  const reader = new KmlReader(default_radius);
  const parser = sax.parser(true);
  parser.onerror = () => refuse();
  parser.onopentag = ({ name, attributes }) => reader.open(localOf(name), String(attributes.name ?? ""));
  parser.ontext = (text) => reader.read(text);
  parser.oncdata = (text) => reader.read(text);
  parser.onclosetag = (name) => reader.close(localOf(name));
  for (const chunk of chunks) parser.write(chunk);
  parser.close();
  return reader.result();
}

type Geometry = { type: NewZone["type"]; places: Place[] };
type Place = { lat: number; lng: number };
type Feature = { name: string; geometries: Geometry[]; radius: number | undefined; misfit?: Misfit };

/** Keeps of the document what is open, and the zones of what is closed. */
class KmlReader {
  #zones: ReadZone[] = [];
  #skipped: Skipped[] = [];
  /** Of placemarks that show something. */
  #misfits: Misfit[] = [];
  #placemarks = 0;
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

  result() {
    const [first, ...others] = this.#misfits;
    if (this.#zones.length > 0 || !first) return { zones: this.#zones, skipped: this.#skipped };
    throw new ApiError(others.every(({ code }) => code === first.code) ? first.code : 234);
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
    if (!places) {
      feature.misfit ??= { code: 234, reason: "has a coordinate that is none" };
      return;
    }
    this.#points += places.length;
    if (this.#points > MOST_POINTS) throw new ApiError(9);
    feature.geometries.push({ type, places });
  }

  /** All of its geometries or, where one cannot be a zone, none. */
  #addZones({ name, geometries, misfit, radius = this.#default_radius }: Feature) {
    const index = this.#placemarks++;
    if (index >= MOST_PLACEMARKS) throw new ApiError(9);
    if (geometries.length === 0 && !misfit) {
      this.#skipped.push({ index, name, reason: "has no point, line or polygon" });
      return;
    }
    const label = this.#labelOf();
    const zones = geometries.map((geometry) => zoneOf(geometry, label, radius));
    const wrong = misfit ?? zones.find((zone) => "code" in zone);
    if (wrong) {
      this.#misfits.push(wrong);
      this.#skipped.push({ index, name, reason: wrong.reason });
      return;
    }
    this.#zones.push(...zones.filter((zone) => "input" in zone));
    if (this.#zones.length > MOST_ZONES) throw new ApiError(9);
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

/** Why something cannot be a zone, and the code where nothing of the file can. */
type Misfit = { code: 202 | 234; reason: string };

function zoneOf(geometry: Geometry, label: string, radius: number): ReadZone | Misfit {
  const input = inputOf(geometry, label, radius);
  if (!input) return { code: 234, reason: "has no coordinates" };
  try {
    return { input, shape: shapeOf(input, true) };
  } catch (thrown) {
    if (!isApiError(thrown)) throw thrown;
    return thrown.code === 202
      ? { code: 202, reason: "has too many points" }
      : { code: 234, reason: "has too few points" };
  }
}

function inputOf({ type, places }: Geometry, label: string, radius: number): NewZone | undefined {
  const [first] = places;
  if (!first) return undefined;
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

/** Tuples of longitude, latitude and perhaps a height; some writers put commas between them, too. Undefined for others. */
function placesOf(text: string): Place[] | undefined {
  const places: Place[] = [];
  for (const tuple of text.split(/\s+/).filter((one) => one !== "")) {
    const numbers = tuple.split(",").map((number) => (number === "" ? Number.NaN : Number(number)));
    const size = Math.min(3, numbers.length);
    if (numbers.length % size !== 0) return undefined;
    for (let start = 0; start < numbers.length; start += size) {
      const [lng = Number.NaN, lat = Number.NaN] = numbers.slice(start);
      if (!(Math.abs(lng) <= 180 && Math.abs(lat) <= 90)) return undefined;
      places.push({ lat, lng });
    }
  }
  return places;
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
const MOST_PLACEMARKS = 10_000;
const MOST_POINTS = 200_000;
