import sax from "sax";
import { ApiError, isApiError } from "#shared/error/api-error.ts";
import { NewZone, type ZonePoint } from "../schema.ts";
import { type Shape, shapeOf } from "../shape.ts";
import { Coordinates, type Place } from "./coordinates.ts";

/** A zone to be, with its figure. */
export type ReadZone = { input: NewZone; shape: Shape };
/** A placemark that cannot become one; counted from 0. */
export type Skipped = { index: number; name: string; reason: string };

/**
 * The zones that a KML document shows: points become circles, lines sausages, and polygons lose their holes. What cannot
 * be a zone is passed over and told, unless nothing else is there. The time that it takes grows with the document's
 * length, whatever it holds, and nothing of it is kept that no zone needs.
 */
export function zonesOfKml(chunks: Iterable<string>, default_radius: number) {
  const reader = new KmlReader(default_radius);
  const parser = sax.parser(true);
  let attributeCount = 0;
  parser.onerror = () => refuse();
  parser.onattribute = () => {
    attributeCount += 1;
    if (attributeCount > MOST_ATTRIBUTES) throw new ApiError(9);
  };
  parser.onopentag = ({ name, attributes }) => {
    attributeCount = 0;
    reader.open(localOf(name), String(attributes.name ?? ""));
  };
  parser.ontext = (text) => reader.read(text);
  parser.oncdata = (text) => reader.read(text);
  parser.onclosetag = (name) => reader.close(localOf(name));
  for (const chunk of chunks) parser.write(chunk);
  parser.close();
  return reader.result();
}

type Geometry = { type: NewZone["type"]; places: Place[] };
/** `label`: the names on the way to it and its own, as far as a label holds them. */
type Feature = {
  name: string;
  label: string;
  geometries: Geometry[];
  radius: number | undefined;
  misfit?: Misfit;
};
/** Why something cannot be a zone, and the code where nothing of the file can. */
type Misfit = { code: 202 | 234; reason: string };

/** Keeps of the document what is open, and the zones of what is closed. */
class KmlReader {
  #zones: ReadZone[] = [];
  #skipped: Skipped[] = [];
  /** Of placemarks that show something. */
  #misfits: Misfit[] = [];
  #placemarks = 0;
  #path: string[] = [];
  #features: Feature[] = [];
  #openPlacemarks = 0;
  #coordinates: Coordinates | null = null;
  #text = "";
  #data = "";
  #unnamed = 0;
  #points = 0;
  #geometries = 0;

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
    if (this.#path.length >= MOST_LEVELS) throw new ApiError(9);
    if (FEATURES.has(name)) {
      const label = this.#features.at(-1)?.label ?? "";
      this.#features.push({ name: "", label, geometries: [], radius: undefined });
    }
    if (name === "Placemark") this.#openPlacemarks += 1;
    if (name === "Data" || name === "SimpleData") this.#data = dataName;
    if (name === "coordinates" && this.#figure()) this.#coordinates = new Coordinates(() => this.#countPoint());
    this.#path.push(name);
    this.#text = "";
  }

  read(text: string) {
    const name = this.#path.at(-1) ?? "";
    if (name === "coordinates") this.#coordinates?.read(text);
    else if (READ.has(name)) this.#text = ending(this.#text + text);
  }

  close(name: string) {
    this.#path.pop();
    const parent = this.#path.at(-1) ?? "";
    const feature = this.#features.at(-1);
    if (feature && name === "name" && FEATURES.has(parent)) this.#nameFeature(feature);
    if (feature && (name === "value" || name === "SimpleData") && this.#data === "radius") {
      feature.radius = radiusOf(this.#text);
    }
    if (feature && name === "coordinates") this.#addGeometry(feature);
    if (name === "Placemark") {
      this.#openPlacemarks -= 1;
      if (feature) this.#addZones(feature);
    }
    if (FEATURES.has(name)) this.#features.pop();
    this.#text = "";
  }

  #nameFeature(feature: Feature) {
    feature.name = labelOf(this.#text.trim());
    feature.label = joined(this.#features.at(-2)?.label ?? "", feature.name);
  }

  /** Of the element that is open; undefined where its coordinates are not of a zone. */
  #figure() {
    const [parent = "", grandparent = ""] = [this.#path.at(-1), this.#path.at(-2)];
    if (this.#openPlacemarks === 0) return undefined;
    return parent === "LinearRing" ? RINGS.get(grandparent) : FIGURES.get(parent);
  }

  #countPoint() {
    this.#points += 1;
    if (this.#points > MOST_POINTS) throw new ApiError(9);
  }

  #addGeometry(feature: Feature) {
    const type = this.#figure();
    if (!type || !this.#coordinates) return;
    this.#geometries += 1;
    if (this.#geometries > MOST_ZONES) throw new ApiError(9);
    const places = this.#coordinates.end();
    this.#coordinates = null;
    if (places) feature.geometries.push({ type, places });
    else feature.misfit ??= { code: 234, reason: "has a coordinate that is none" };
  }

  /** All of its geometries or, where one cannot be a zone, none. */
  #addZones({ name, label, geometries, misfit, radius = this.#default_radius }: Feature) {
    const index = this.#placemarks++;
    if (index >= MOST_PLACEMARKS) throw new ApiError(9);
    if (geometries.length === 0 && !misfit) {
      this.#skipped.push({ index, name, reason: "has no point, line or polygon" });
      return;
    }
    if (name === "") this.#unnamed += 1;
    const whole = name === "" ? joined(label, `#${this.#unnamed}`) : label;
    const zones = geometries.map((geometry) => zoneOf(geometry, whole, radius));
    const wrong = misfit ?? zones.find((zone) => "code" in zone);
    if (wrong) {
      this.#misfits.push(wrong);
      this.#skipped.push({ index, name, reason: wrong.reason });
      return;
    }
    this.#zones.push(...zones.filter((zone) => "input" in zone));
  }
}

/** Of names on the way to a thing the end, which tells more. */
function joined(outer: string, inner: string) {
  if (outer === "" || inner === "") return outer + inner;
  return labelOf(`${outer} / ${inner}`);
}

/** As much of the end as a label holds; of so many pairs of code units none is cut in two. */
function labelOf(text: string) {
  if (text.length <= LONGEST_LABEL) return text;
  return [...text.slice(-2 * LONGEST_LABEL)].slice(-LONGEST_LABEL).join("");
}

/** Of a text that comes in pieces so much that it grows no further. */
function ending(text: string) {
  return text.length > 2 * LONGEST_TEXT ? text.slice(-LONGEST_TEXT) : text;
}

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
const READ = new Set(["name", "value", "SimpleData"]);
const FIGURES = new Map<string, NewZone["type"]>([
  ["Point", "circle"],
  ["LineString", "sausage"],
]);
const RINGS = new Map<string, NewZone["type"]>([["outerBoundaryIs", "polygon"]]);
const LONGEST_LABEL = 255;
/** Of a name, in whose end blanks may be. */
const LONGEST_TEXT = 64 * 1024;
// What one isolate and one statement hold.
const MOST_ZONES = 5000;
const MOST_PLACEMARKS = 10_000;
const MOST_POINTS = 200_000;
const MOST_LEVELS = 1000;
const MOST_ATTRIBUTES = 1000;
