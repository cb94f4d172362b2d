import type { Feature, MultiLineString, Position } from "geojson";
import type { Track } from "./track.ts";

/** The lower bounds of the classes of speed in km/h; the first class is standing. */
export const SPEED_CLASSES = [0, 5, 30, 60, 90] as const;

export type SegmentProperties = { vehicle: number; speed: number; label: string };
export type Segments = Feature<MultiLineString, SegmentProperties>;

/** The class of a speed: an index of `SPEED_CLASSES`. */
export function speedClassOf(speedKmh: number): number {
  return SPEED_CLASSES.findLastIndex((bound) => speedKmh >= bound);
}

/**
 * The lines of the points from `first` on, one feature for each trip and class of speed: few features, however often the speed
 * changes. Colours are chosen by the map from the properties, so that another choice of colours builds nothing anew.
 */
export function toSegments(
  track: Track,
  first: number,
  { vehicle, label }: Omit<SegmentProperties, "speed">,
): Segments[] {
  const found = new Map<string, Segments>();
  let line: Position[] | undefined;
  let last = "";
  for (let index = Math.max(first, 1); index < track.size; index++) {
    if (!track.isConnected(index)) {
      line = undefined;
      continue;
    }
    const speed = speedClassOf(track.speeds[index] ?? 0);
    const key = `${track.tripOf[index]} ${speed}`;
    if (!line || key !== last) {
      line = [positionOf(track, index - 1)];
      last = key;
      const known = found.get(key);
      if (known) known.geometry.coordinates.push(line);
      else found.set(key, toFeature(line, `${vehicle} ${first} ${key}`, { vehicle, speed, label }));
    }
    line.push(positionOf(track, index));
  }
  return [...found.values()];
}

function toFeature(line: Position[], id: string, properties: SegmentProperties): Segments {
  return {
    type: "Feature",
    id,
    geometry: { type: "MultiLineString", coordinates: [line] },
    properties: { ...properties },
  };
}

function positionOf({ lngs, lats }: Track, index: number): Position {
  return [lngs[index] ?? 0, lats[index] ?? 0];
}
