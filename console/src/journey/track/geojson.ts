import type { Feature, FeatureCollection, MultiLineString, Position } from "geojson";
import type { Track } from "./track.ts";

type TripProperties = { vehicle: string; start: string; end: string; coordinateProperties: { times: string[][] } };

/** A feature for each trip, by RFC 7946: a trip over the date line is cut there. The moments of its points stand in its properties. */
export function toGeoJson(track: Track, vehicle: string): FeatureCollection<MultiLineString, TripProperties> {
  const features: Feature<MultiLineString, TripProperties>[] = [];
  for (let first = 0; first < track.size; ) {
    let end = first + 1;
    while (end < track.size && track.isConnected(end)) end++;
    const { lines, times } = toLines(track, first, end);
    if (end - first > 1)
      features.push({
        type: "Feature",
        geometry: { type: "MultiLineString", coordinates: lines },
        properties: { vehicle, start: iso(track, first), end: iso(track, end - 1), coordinateProperties: { times } },
      });
    first = end;
  }
  return { type: "FeatureCollection", features };
}

/** The points of a trip as lines that stay within 180 degrees of longitude. */
function toLines(track: Track, first: number, end: number) {
  let line: Position[] = [];
  let moments: string[] = [];
  const lines = [line];
  const times = [moments];
  for (let index = first; index < end; index++) {
    const position = [track.lngs[index] ?? 0, track.lats[index] ?? 0];
    const world = worldOf(position);
    const before = [track.lngs[index - 1] ?? 0, track.lats[index - 1] ?? 0];
    if (index > first && worldOf(before) !== world) {
      const crossing = crossingBetween(before, position);
      line.push(within(crossing, worldOf(before)));
      moments.push(iso(track, index));
      line = [within(crossing, world)];
      moments = [iso(track, index)];
      lines.push(line);
      times.push(moments);
    }
    line.push(within(position, world));
    moments.push(iso(track, index));
  }
  return { lines, times };
}

/** The number of turns around the earth at which a longitude is. */
function worldOf([lng = 0]: Position) {
  return Math.round(lng / 360);
}

function within([lng = 0, lat = 0]: Position, world: number): Position {
  return [round(lng - world * 360), round(lat)];
}

function crossingBetween(from: Position, to: Position): Position {
  const [lng1 = 0, lat1 = 0] = from;
  const [lng2 = 0, lat2 = 0] = to;
  const border = Math.min(worldOf(from), worldOf(to)) * 360 + 180;
  return [border, lat1 + ((lat2 - lat1) * (border - lng1)) / (lng2 - lng1)];
}

function round(degrees: number) {
  return Math.round(degrees * 1e6) / 1e6;
}

function iso({ times }: Track, index: number) {
  return new Date(times[index] ?? 0).toISOString();
}
