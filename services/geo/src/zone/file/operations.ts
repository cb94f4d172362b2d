import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { downloadHeaders } from "#shared/operation/download.ts";
import { filePart } from "#shared/operation/fields.ts";
import { type Page, streamOf } from "#shared/operation/list-answer.ts";
import { MEDIA_TYPES } from "#shared/operation/media-type.ts";
import { redirectTarget } from "#shared/operation/redirect.ts";
import { operation } from "../../operation.ts";
import { selectZonesWithPoints } from "../list-queries.ts";
import { insertZones } from "../queries.ts";
import { toZone, Zone } from "../schema.ts";
import { decodeGeoJsonFile, decodeKmlFile } from "./decode-file.ts";
import { writeKml, writeKmz } from "./kml.ts";
import { parseGeoJson } from "./read-geojson.ts";
import { parseKml } from "./read-kml.ts";
import { geoJsonOf } from "./write-geojson.ts";
import { toPlacemarks } from "./write-kml.ts";

export const uploadZones = operation("/zone/upload", {
  summary:
    "Creates zones from a KML, KMZ or GeoJSON file: circles from points, sausages from lines, polygons from polygons",
  right: "zone_update",
  reply: ["json", "redirect"],
  expensive: true,
  input: z.object({
    file: filePart().optional(),
    default_radius: z.int().min(20).max(300_000).default(150),
    dry_run: z.boolean().default(true),
    redirect_target: redirectTarget(),
  }),
  output: z.object({
    list: z.array(z.union([z.int(), Zone.omit({ id: true })])),
    /** Placemarks that cannot become zones: their index in the file, from 0, name and reason. */
    skipped: z.array(z.object({ index: z.int(), name: z.string(), reason: z.string() })),
  }),
  errors: [202, 233, 234, 268, 271],
  async run({ file, default_radius, dry_run }, { db, principal, actor }) {
    if (!file) throw new ApiError(233);
    if (file.bytes.byteLength > MAX_BYTES) throw new ApiError(271);
    const json = decodeGeoJsonFile(file.bytes);
    const { zones, skipped } =
      json === undefined ? parseKml(decodeKmlFile(file.bytes), default_radius) : parseGeoJson(json, default_radius);
    if (!dry_run) return { list: await insertZones(db, principal, zones, actor), skipped };
    const ready = zones.map(({ input, shape }) => {
      const { id, ...zone } = toZone({ id: 0, ...input, ...shape });
      return zone;
    });
    return { list: ready, skipped };
  },
});

export const downloadZones = operation("/zone/download", {
  summary: "The zones that the caller sees, or some of them, as KML or GeoJSON",
  reads: true,
  reply: ["kml", "kmz", "geojson"],
  expensive: true,
  input: z.object({
    format: z.enum(["kml", "kmz", "geojson"]).default("kml"),
    zone_ids: z.array(z.int()).max(100_000).nullable().default(null),
  }),
  output: z.object({}),
  errors: [],
  async run({ format, zone_ids }, { db, principal }) {
    const document = DOCUMENTS[format](await selectZonesWithPoints(db, principal, zone_ids));
    return new Response(document, { headers: downloadHeaders(`zones.${format}`, MEDIA_TYPES[format]) });
  },
});

export const operations = [uploadZones, downloadZones];

const DOCUMENTS = {
  kml: (first: Page<Zone>) => writeKml("zones", { placemarks: toPlacemarks(first) }),
  kmz: (first: Page<Zone>) => writeKmz("zones", { placemarks: toPlacemarks(first) }),
  geojson: (first: Page<Zone>) => streamOf(geoJsonOf(first)),
};

const MAX_BYTES = 16 * 1024 * 1024;
