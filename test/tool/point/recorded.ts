import { readFileSync } from "node:fs";
import type { Point } from "../../../services/geo/src/point/point.ts";
import { pointAt } from "./made.ts";

/** A recorded track of test/fixtures/tracks, without speeds. */
export function recordedTrack(file: string): Point[] {
  const text = readFileSync(`test/fixtures/tracks/${file}`, "utf8");
  if (file.endsWith(".nmea")) return nmeaPoints(text);
  return file.endsWith(".gpx") ? gpxPoints(text) : wktPoints(text);
}

/** The points of NMEA sentences with a date, a place and a fix. */
function nmeaPoints(text: string): Point[] {
  const matches = text.matchAll(
    /^\$GPRMC,(\d{2})(\d{2})(\d{2}[.\d]*),A,(\d+\.\d+),N,(\d+\.\d+),E,[^,]*,[^,]*,(\d{2})(\d{2})(\d{2}),/gm,
  );
  const points = [...matches].map(([, hour, minute, second, north, east, day, month, year]) => {
    const time = Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    return pointAt(0, { time, lat: degreesOf(Number(north)), lng: degreesOf(Number(east)) });
  });
  return points.toSorted((one, other) => one.time - other.time);
}

/** Converts degrees with minutes behind them, as in 4807.038, to decimal degrees. */
function degreesOf(nmeaDegrees: number) {
  const degrees = Math.floor(nmeaDegrees / 100);
  return degrees + (nmeaDegrees - degrees * 100) / 60;
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
