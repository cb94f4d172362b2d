import type { Mark } from "../map/mark.ts";
import type { TimelineEntry } from "./timeline.ts";
import type { Track } from "./track/track.ts";

type Place = { lng: number; lat: number };

/** Where an entry of the timeline is on the map: a trip at its start; undefined while its points are not there yet. */
export function placeOf(entry: TimelineEntry, tracks: ReadonlyMap<number, Track>): Place | undefined {
  if (entry.kind === "event") return entry.event.location ?? undefined;
  if (entry.kind === "checkin") return entry.checkin.location;
  const track = tracks.get(entry.trackerId);
  return track?.isKnownAt(entry.from) ? track.positionAt(entry.from) : undefined;
}

/**
 * Makes the marks of stays with their durations, of events and of check-ins, as the map takes them. `made` keeps them: each is
 * made once, when its place is known, in however many parts the tracks come.
 */
export function toMarks(
  entries: readonly TimelineEntry[],
  tracks: ReadonlyMap<number, Track>,
  nameDuration: (seconds: number) => string,
  made: Map<TimelineEntry, Mark>,
): Mark[] {
  return entries.flatMap((entry) => {
    const mark = made.get(entry) ?? toMark(entry, tracks, nameDuration);
    if (mark) made.set(entry, mark);
    return mark ?? [];
  });
}

function toMark(
  entry: TimelineEntry,
  tracks: ReadonlyMap<number, Track>,
  nameDuration: (seconds: number) => string,
): Mark | undefined {
  const place = entry.kind === "trip" ? undefined : placeOf(entry, tracks);
  if (!place) return undefined;
  const seconds = (entry.to - entry.from) / 1000;
  const isStay = entry.kind === "stay";
  return {
    ...{ type: "Feature", geometry: { type: "Point", coordinates: [place.lng, place.lat] } },
    properties: {
      ...{ key: entry.key, icon: isStay ? "parked" : entry.kind, label: isStay ? nameDuration(seconds) : "" },
      // Check-ins first, then long stays, then events.
      rank: isStay ? -seconds : entry.kind === "checkin" ? -Number.MAX_SAFE_INTEGER : 0,
    },
  };
}
