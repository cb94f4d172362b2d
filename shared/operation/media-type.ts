import type { Reply } from "./declaration.ts";

/** A reply with a body. */
export type Format = Exclude<Reply, "redirect">;

/** By kind of reply; a `file` has a type of its own. */
export const MEDIA_TYPES: Record<Format, string> = {
  json: "application/json",
  kml: "application/vnd.google-earth.kml+xml",
  geojson: "application/geo+json",
  kmz: "application/vnd.google-earth.kmz",
  pdf: "application/pdf",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv",
  html: "text/html",
  file: "*/*",
};
