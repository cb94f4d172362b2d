import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { tooLargeFileError } from "#shared/error/too-large-file.ts";
import type { Position } from "#shared/geometry/position.ts";
import { color } from "#shared/operation/fields.ts";
import {
  type Geometry,
  type GeometryError,
  type ParsedZones,
  parseRadius,
  requireAnyZone,
  requireFeatureLimit,
  requirePointLimit,
  requireZoneLimit,
  toLabel,
  toParsedZone,
} from "./parsed-zone.ts";

/**
 * Zones of a GeoJSON document (RFC 7946): circles from points, sausages from lines, polygons with holes; each part of a
 * multipart geometry becomes a zone. Invalid features are reported as skipped, unless all are invalid.
 */
export function parseGeoJson(text: string, default_radius: number): ParsedZones {
  const counts: ReadCounts = { points: 0, geometries: 0 };
  const result: ParsedZones = { zones: [], skipped: [] };
  const errors: GeometryError[] = [];
  let unnamed = 0;
  for (const [index, feature] of featuresOf(parseBounded(text)).entries()) {
    const { name, radius = default_radius, ...own } = propertiesOf(feature);
    const geometries = geometriesOf(feature.geometry, counts, 0);
    if (geometries.length === 0) {
      result.skipped.push({ index, name, reason: "has no point, line or polygon" });
      continue;
    }
    if (name === "") unnamed += 1;
    const members = { ...own, label: toLabel(name === "" ? `#${unnamed}` : name), radius };
    const zones = geometries.map((geometry) => ("code" in geometry ? geometry : toParsedZone(geometry, members)));
    const wrong = zones.find((zone) => "code" in zone);
    if (wrong) {
      errors.push(wrong);
      result.skipped.push({ index, name, reason: wrong.reason });
    } else result.zones.push(...zones.filter((zone) => "input" in zone));
  }
  return requireAnyZone(result.zones, result.skipped, errors);
}

type ReadCounts = { points: number; geometries: number };

const Feature = z.object({
  type: z.literal("Feature"),
  geometry: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).nullish(),
});
type Feature = z.output<typeof Feature>;
const Collection = z.object({ type: z.literal("FeatureCollection"), features: z.array(z.unknown()) });
const GeometryObject = z.object({
  type: z.string(),
  coordinates: z.unknown().optional(),
  geometries: z.unknown().optional(),
});
const LngLat = z.tuple([z.number().min(-360).max(360), z.number().min(-90).max(90)]).rest(z.unknown());
const COLOR = color();
const Line = z.array(LngLat);
const Rings = z.array(Line);

/** Parses JSON after counting its values, which bounds the memory that it takes. */
function parseBounded(text: string): unknown {
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === BRACKET || code === BRACE) values += 1;
  }
  if (values > MAX_VALUES) throw tooLargeFileError(`${MAX_VALUES} values`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(234);
  }
}

/** The features of a document. A bare geometry counts as a feature without properties. */
function featuresOf(document: unknown): Feature[] {
  const collection = Collection.safeParse(document);
  const features = collection.success ? collection.data.features : [document];
  requireFeatureLimit(features.length);
  return features.map((one) => {
    const feature = Feature.safeParse(one);
    if (feature.success) return feature.data;
    const type = GeometryObject.safeParse(one).data?.type ?? "";
    if (collection.success || !(type === "GeometryCollection" || GEOMETRY_READERS.has(type.replace(/^Multi/, ""))))
      throw new ApiError(234);
    return { type: "Feature", geometry: one };
  });
}

function propertiesOf({ properties }: Feature) {
  const members = properties ?? {};
  const name = [members.name, members.label, members.title].map(toText).find((one) => one !== "") ?? "";
  const radius =
    typeof members.radius === "number" || typeof members.radius === "string" ? parseRadius(members.radius) : undefined;
  const hue = COLOR.safeParse(toText(members.color).replace(/^#/, ""));
  return {
    name: toLabel(name),
    radius,
    ...(hue.success && { color: hue.data }),
    address: toLabel(toText(members.address)),
  };
}

/** JSON texts can contain null characters and lone surrogates, which our texts may not. */
function toText(given: unknown): string {
  if (typeof given !== "string") return "";
  return Buffer.from(given.replaceAll("\0", "")).toString().trim();
}

function geometriesOf(given: unknown, counts: ReadCounts, level: number): (Geometry | GeometryError)[] {
  const shaped = GeometryObject.safeParse(given);
  if (!shaped.success) return [];
  const { type, coordinates, geometries } = shaped.data;
  if (type === "GeometryCollection" && Array.isArray(geometries)) {
    if (level >= MAX_LEVELS) throw tooLargeFileError(`${MAX_LEVELS} collections within each other`);
    return geometries.flatMap((one) => geometriesOf(one, counts, level + 1));
  }
  const single = type.replace(/^Multi/, "");
  const readGeometry = GEOMETRY_READERS.get(single);
  if (!readGeometry) return [];
  const parts: unknown = type === single ? [coordinates] : coordinates;
  if (!Array.isArray(parts)) return [INVALID_COORDINATE];
  counts.geometries += parts.length;
  requireZoneLimit(counts.geometries);
  return parts.map((part) => {
    const geometry = readGeometry(part);
    if (!geometry) return INVALID_COORDINATE;
    counts.points += geometry.positions.length + (geometry.holes ?? []).reduce((sum, { length }) => sum + length, 0);
    requirePointLimit(counts.points);
    return geometry;
  });
}

const GEOMETRY_READERS = new Map<string, (part: unknown) => Geometry | undefined>([
  ["Point", (part) => read(LngLat, part, (position) => ({ type: "circle", positions: [toPosition(position)] }))],
  ["LineString", (part) => read(Line, part, (line) => ({ type: "sausage", positions: line.map(toPosition) }))],
  ["Polygon", (part) => read(Rings, part, polygonOf)],
]);

function read<Part>(
  schema: z.ZodType<Part>,
  part: unknown,
  geometryOf: (part: Part) => Geometry,
): Geometry | undefined {
  const parsed = schema.safeParse(part);
  return parsed.success ? geometryOf(parsed.data) : undefined;
}

function polygonOf(rings: z.output<typeof Rings>): Geometry {
  const [positions = [], ...holes] = rings.map((ring) => ring.map(toPosition));
  return { type: "polygon", positions, ...(holes.length > 0 && { holes }) };
}

/**
 * Moves longitudes beyond 180 back: some writers continue over the date line instead of cutting there (RFC 7946,
 * 3.1.9).
 */
function toPosition([lng, lat]: z.output<typeof LngLat>): Position {
  return { lat, lng: lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng };
}

const INVALID_COORDINATE: GeometryError = { code: 234, reason: "has a coordinate that is none" };
const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];
/** Three values for each of the most points, and about as many for everything else. */
const MAX_VALUES = 1_000_000;
const MAX_LEVELS = 16;
