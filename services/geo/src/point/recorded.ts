import { readFileSync } from "node:fs";
import { type Point, storedPoint, UNMEASURED } from "./point.ts";

/** For tests: a point of which only what matters is said. */
export function pointAt(seconds: number, given: Partial<Point> = {}): Point {
  const time = Date.UTC(2024, 4, 2, 8) + seconds * 1000;
  return storedPoint({ ...UNMEASURED, lat: 50, lng: 8, time, ...given });
}

/** For tests: a recorded track of test/fixtures/tracks, without speeds. */
export function recordedTrack(file: string): Point[] {
  const text = readFileSync(`test/fixtures/tracks/${file}`, "utf8");
  return file.endsWith(".gpx") ? gpxPoints(text) : wktPoints(text);
}

/** For tests: the same numbers every time. */
export function chanceOf(seed: number) {
  let last = seed;
  return () => {
    last = (last * 16_807) % 2_147_483_647;
    return last / 2_147_483_647;
  };
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
