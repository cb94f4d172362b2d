import type { Mark } from "../map/track-map.ts";
import type { TimelineEntry } from "./timeline.ts";
import type { Track } from "./track/track.ts";

type Place = { lng: number; lat: number };

/** Where an entry of the timeline is on the map: a trip at its start; undefined while its points are not there yet. */
export function placeOf(entry: TimelineEntry, tracks: ReadonlyMap<number, Track>): Place | undefined {
  if (entry.kind === "event") return entry.event.location ?? undefined;
  if (entry.kind === "checkin") return entry.checkin.location;
  return tracks.get(entry.trackerId)?.positionAt(entry.from);
}

/** Stays with their durations, events and check-ins as the map takes them. */
export function toMarks(
  entries: readonly TimelineEntry[],
  tracks: ReadonlyMap<number, Track>,
  nameDuration: (seconds: number) => string,
): Mark[] {
  return entries.flatMap((entry): Mark[] => {
    const place = entry.kind === "trip" ? undefined : placeOf(entry, tracks);
    if (!place) return [];
    const seconds = (entry.to - entry.from) / 1000;
    const isStay = entry.kind === "stay";
    return [
      {
        ...{ type: "Feature", geometry: { type: "Point", coordinates: [place.lng, place.lat] } },
        properties: {
          ...{ key: entry.key, icon: isStay ? "parked" : entry.kind, label: isStay ? nameDuration(seconds) : "" },
          // Check-ins first, then long stays, then events.
          rank: isStay ? -seconds : entry.kind === "checkin" ? -Number.MAX_SAFE_INTEGER : 0,
        },
      },
    ];
  });
}
