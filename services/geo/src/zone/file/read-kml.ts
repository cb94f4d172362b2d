import sax from "sax";
import { ApiError } from "#shared/error/api-error.ts";
import { tooLargeFileError } from "#shared/error/too-large-file.ts";
import type { NewZone } from "../schema.ts";
import { CoordinatesReader } from "./coordinates.ts";
import { type CountSteps, ignoreSteps } from "./count-steps.ts";
import {
  type Geometry,
  type GeometryError,
  joinLabels,
  type ParsedZone,
  type ParsedZones,
  parseRadius,
  requireAnyZone,
  requireFeatureLimit,
  requirePointLimit,
  requireZoneLimit,
  type Skipped,
  toLabel,
  toParsedZone,
} from "./parsed-zone.ts";

/**
 * Zones of a KML document (OGC KML 2.3): circles from points, sausages from lines, polygons without holes. Invalid
 * placemarks are reported as skipped, unless all are invalid. Time grows linearly with the document, and only data of
 * zones is kept.
 */
export function parseKml(
  chunks: Iterable<string>,
  default_radius: number,
  count: CountSteps = ignoreSteps,
): ParsedZones {
  const reader = new KmlReader(default_radius, count);
  const parser = sax.parser(true);
  let attributeCount = 0;
  parser.onerror = () => refuse();
  parser.onattribute = () => {
    attributeCount += 1;
    count(1);
    if (attributeCount > MAX_ATTRIBUTES) throw tooLargeFileError(`${MAX_ATTRIBUTES} attributes of an element`);
  };
  parser.onopentag = ({ name, attributes }) => {
    attributeCount = 0;
    reader.open(localNameOf(name), String(attributes.name ?? ""));
  };
  parser.ontext = (text) => reader.read(text);
  parser.oncdata = (text) => reader.read(text);
  parser.onclosetag = (name) => reader.close(localNameOf(name));
  for (const chunk of chunks) {
    const before = parser.position;
    parser.write(chunk);
    count(parser.position - before);
  }
  parser.close();
  return reader.result();
}

/** An open Document, Folder or Placemark. `label` joins the names of its parents and its own. */
type Feature = {
  name: string;
  label: string;
  geometries: Geometry[];
  radius: number | undefined;
  error?: GeometryError;
};

/** Keeps the open elements of the document, and the zones of closed placemarks. */
class KmlReader {
  #zones: ParsedZone[] = [];
  #skipped: Skipped[] = [];
  /** Errors of placemarks that have geometries. */
  #errors: GeometryError[] = [];
  #placemarks = 0;
  #path: string[] = [];
  #features: Feature[] = [];
  #openPlacemarks = 0;
  #coordinates: CoordinatesReader | null = null;
  #text = "";
  #data = "";
  #unnamed = 0;
  #points = 0;
  #geometries = 0;

  #default_radius: number;
  #count: CountSteps;

  constructor(default_radius: number, count: CountSteps) {
    this.#default_radius = default_radius;
    this.#count = count;
  }

  result() {
    return requireAnyZone(this.#zones, this.#skipped, this.#errors);
  }

  open(name: string, dataName: string) {
    if (this.#path.length === 0 && !ROOTS.has(name)) refuse();
    if (this.#path.length >= MAX_LEVELS) throw tooLargeFileError(`${MAX_LEVELS} elements within each other`);
    if (FEATURES.has(name)) {
      const label = this.#features.at(-1)?.label ?? "";
      this.#features.push({ name: "", label, geometries: [], radius: undefined });
    }
    if (name === "Placemark") this.#openPlacemarks += 1;
    if (name === "Data" || name === "SimpleData") this.#data = dataName;
    if (name === "coordinates" && this.#openZoneType())
      this.#coordinates = new CoordinatesReader(() => this.#countPoint(), this.#count);
    this.#path.push(name);
    this.#text = "";
  }

  read(text: string) {
    const name = this.#path.at(-1) ?? "";
    if (name === "coordinates") this.#coordinates?.read(text);
    else if (TEXT_ELEMENTS.has(name)) {
      const whole = this.#text + text;
      this.#count(whole.length);
      this.#text = keepEnd(whole);
    }
  }

  close(name: string) {
    this.#path.pop();
    const parent = this.#path.at(-1) ?? "";
    const feature = this.#features.at(-1);
    if (feature && name === "name" && FEATURES.has(parent)) this.#nameFeature(feature);
    if (feature && (name === "value" || name === "SimpleData") && this.#data === "radius") {
      feature.radius = parseRadius(this.#text);
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
    const outer = this.#features.at(-2)?.label ?? "";
    feature.name = toLabel(this.#text.trim());
    this.#count(this.#text.length + outer.length + feature.name.length);
    feature.label = joinLabels(outer, feature.name);
  }

  /** The type of zone for the open `coordinates` element; undefined if it belongs to no zone. */
  #openZoneType() {
    const [parent = "", grandparent = ""] = [this.#path.at(-1), this.#path.at(-2)];
    if (this.#openPlacemarks === 0) return undefined;
    return parent === "LinearRing" ? RING_TYPES.get(grandparent) : ZONE_TYPES.get(parent);
  }

  #countPoint() {
    this.#points += 1;
    requirePointLimit(this.#points);
  }

  #addGeometry(feature: Feature) {
    const type = this.#openZoneType();
    if (!type || !this.#coordinates) return;
    this.#geometries += 1;
    requireZoneLimit(this.#geometries);
    const positions = this.#coordinates.end();
    this.#count(positions?.length ?? 0);
    this.#coordinates = null;
    if (positions) feature.geometries.push({ type, positions });
    else feature.error ??= { code: 234, reason: "has a coordinate that is none" };
  }

  /** Adds all geometries of a placemark, or none if one of them is invalid. */
  #addZones({ name, label, geometries, error, radius = this.#default_radius }: Feature) {
    const index = this.#placemarks++;
    requireFeatureLimit(this.#placemarks);
    if (geometries.length === 0 && !error) {
      this.#skipped.push({ index, name, reason: "has no point, line or polygon" });
      return;
    }
    if (name === "") this.#unnamed += 1;
    this.#count(label.length + geometries.length);
    const whole = name === "" ? joinLabels(label, `#${this.#unnamed}`) : label;
    const zones = geometries.map((geometry) => toParsedZone(geometry, { label: whole, radius }));
    const wrong = error ?? zones.find((zone) => "code" in zone);
    if (wrong) {
      this.#errors.push(wrong);
      this.#skipped.push({ index, name, reason: wrong.reason });
      return;
    }
    this.#zones.push(...zones.filter((zone) => "input" in zone));
  }
}

/** Drops the beginning of a long text that arrives in pieces. */
function keepEnd(text: string) {
  return text.length > 2 * MAX_TEXT_CHARACTERS ? text.slice(-MAX_TEXT_CHARACTERS) : text;
}

function localNameOf(name: string) {
  return name.slice(name.indexOf(":") + 1);
}

function refuse(): never {
  throw new ApiError(234);
}

const ROOTS = new Set(["kml", "Document", "Folder", "Placemark"]);
const FEATURES = new Set(["Document", "Folder", "Placemark"]);
const TEXT_ELEMENTS = new Set(["name", "value", "SimpleData"]);
/** Types of zones by geometry element (OGC KML 2.3, kml:Point and kml:LineString). */
const ZONE_TYPES = new Map<string, NewZone["type"]>([
  ["Point", "circle"],
  ["LineString", "sausage"],
]);
/** Types of zones by the parent of a kml:LinearRing (OGC KML 2.3, kml:outerBoundaryIs); inner boundaries are ignored. */
const RING_TYPES = new Map<string, NewZone["type"]>([["outerBoundaryIs", "polygon"]]);
/** Limit for a name, whose end may be white space. */
const MAX_TEXT_CHARACTERS = 64 * 1024;
const MAX_LEVELS = 1000;
const MAX_ATTRIBUTES = 1000;
