import type { Source } from "./sheet.ts";

type Spot = { time: number; lat: number; lng: number };
type SourceFacts = Partial<Omit<Source, "points">> & { from: number; points?: (Spot | null)[] };

/** What is known of a row's source; of one point where nothing else is said, and of few of many. */
export function sourceOf({
  track_ids = [],
  record_ids = [],
  from,
  to = from,
  points = [],
  point_count,
}: SourceFacts): Source {
  const spots = points.filter((point) => point !== null).slice(0, SHOWN);
  return {
    track_ids: track_ids.slice(0, SHOWN_IDS),
    record_ids: record_ids.slice(0, SHOWN_IDS),
    ...{ from, to, point_count: point_count ?? spots.length },
    points: spots.map(({ time, lat, lng }) => ({ time, lat, lng })),
  };
}

/** Of one record, at one moment, and where it was. */
export function sourceOfRecord({
  id,
  time,
  location,
}: {
  id: number;
  time: number;
  location: { lat: number; lng: number } | null;
}): Source {
  return sourceOf({ record_ids: [id], from: time, points: [location && { ...location, time }] });
}

const SHOWN = 20;
const SHOWN_IDS = 1000;
