import type { Position } from "#shared/geometry/position.ts";
import type { Source } from "./sheet.ts";

type TimedPosition = { time: number; lat: number; lng: number };
type SourceFacts = Partial<Omit<Source, "points">> & { from: number; points?: (TimedPosition | null)[] };

/** The evidence of a row; without other facts it is a single moment. Long lists are cut. */
export function sourceOf({
  track_ids = [],
  record_ids = [],
  from,
  to = from,
  points = [],
  point_count,
}: SourceFacts): Source {
  const spots = points.filter((point) => point !== null).slice(0, MAX_POINTS);
  return {
    track_ids: track_ids.slice(0, MAX_IDS),
    record_ids: record_ids.slice(0, MAX_IDS),
    ...{ from, to, point_count: point_count ?? spots.length },
    points: spots.map(({ time, lat, lng }) => ({ time, lat, lng })),
  };
}

/** The evidence of a value from one record. */
export function sourceOfRecord({
  id,
  time,
  location,
}: {
  id: number;
  time: number;
  location: Position | null;
}): Source {
  return sourceOf({ record_ids: [id], from: time, points: [location && { ...location, time }] });
}

/** The evidence of a value computed from several sources; the bare time range when there are none. */
export function sourceOfAll(sources: Source[], { from, to }: { from: number; to: number }): Source {
  if (sources.length === 0) return sourceOf({ from, to });
  return sourceOf({
    track_ids: firstOf(sources, ({ track_ids }) => track_ids),
    record_ids: firstOf(sources, ({ record_ids }) => record_ids),
    from: sources.reduce((first, source) => Math.min(first, source.from), Number.POSITIVE_INFINITY),
    to: sources.reduce((last, source) => Math.max(last, source.to), Number.NEGATIVE_INFINITY),
    point_count: sources.reduce((sum, { point_count }) => sum + point_count, 0),
    points: sources.slice(0, MAX_POINTS).flatMap(({ points }) => points),
  });
}

/** Distinct ids, at most as many as evidence lists. */
function firstOf(sources: Source[], idsOf: (source: Source) => number[]): number[] {
  const ids = new Set<number>();
  for (const source of sources) {
    if (ids.size >= MAX_IDS) break;
    for (const id of idsOf(source)) ids.add(id);
  }
  return [...ids];
}

const MAX_POINTS = 20;
const MAX_IDS = 1000;
