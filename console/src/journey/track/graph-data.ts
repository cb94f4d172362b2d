import type { Track, TripTimes } from "./track.ts";

/** The times of the graph in seconds, and a list of speeds for each vehicle; null: no trip at that time. */
export type GraphData = [times: number[], ...speeds: (number | null)[][]];

/**
 * The highest speed of each vehicle in each of `count` equal parts of a range: as many as the graph has pixels, however many
 * points there are, and no peak is lost.
 */
export function toGraphData(tracks: readonly Track[], { from, to }: TripTimes, count: number): GraphData {
  const step = Math.max(to - from, 1) / count;
  const times = Array.from({ length: count + 1 }, (_, index) => (from + index * step) / 1000);
  return [times, ...tracks.map((track) => peaks(track, from, step, count))];
}

function peaks(track: Track, from: number, step: number, count: number): (number | null)[] {
  const values: (number | null)[] = [];
  let index = track.indexAt(from - step / 2) + 1;
  for (let part = 0; part <= count; part++) {
    const middle = from + part * step;
    let peak: number | null = null;
    for (; index < track.size && (track.times[index] ?? 0) < middle + step / 2; index++) {
      peak = Math.max(peak ?? 0, track.speeds[index] ?? 0);
    }
    // Between two points that are further apart than parts of the graph.
    if (peak === null && track.isConnected(index)) peak = track.positionAt(middle)?.speedKmh ?? null;
    values.push(peak);
  }
  return values;
}
