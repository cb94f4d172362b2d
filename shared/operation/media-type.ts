import type { Reply } from "./declaration.ts";

/** Of each kind of reply. */
export const MEDIA_TYPES: Record<Reply, string> = {
  json: "application/json",
  kml: "application/vnd.google-earth.kml+xml",
  kmz: "application/vnd.google-earth.kmz",
  pdf: "application/pdf",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv",
  html: "text/html",
  file: "application/octet-stream",
  redirect: "text/html",
};
