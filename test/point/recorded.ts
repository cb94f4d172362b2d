import { readFileSync } from "node:fs";
import type { Point } from "../../services/geo/src/point/point.ts";
import { pointAt } from "./made.ts";

/** A recorded track of test/fixtures/tracks, without speeds. */
export function recordedTrack(file: string): Point[] {
  const text = readFileSync(`test/fixtures/tracks/${file}`, "utf8");
  return file.endsWith(".gpx") ? gpxPoints(text) : wktPoints(text);
}

function gpxPoints(text: string): Point[] {
  const matches = text.matchAll(/<trkpt lat="(?<lat>[^"]+)" lon="(?<lng>[^"]+)">.*?<time>(?<time>[^<]+)<\/time>/gs);
  return [...matches].map(({ groups }) =>
    pointAt(0, { time: Date.parse(groups?.time ?? ""), lat: Number(groups?.lat), lng: Number(groups?.lng) }),
  );
}

function wktPoints(text: string): Point[] {
  const rows = JSON.parse(text) as { point: string; time: string }[];
  return rows.map(({ point, time }) => {
    const [lng, lat] = point.match(/-?[\d.]+/g) ?? [];
    const iso = time.replace(" ", "T").replace(/(\d\d)$/, ":$1");
    return pointAt(0, { time: Date.parse(iso), lat: Number(lat), lng: Number(lng) });
  });
}
