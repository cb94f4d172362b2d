import type { DayRange } from "../format/calendar.ts";
import { sessionClient } from "../session/api.ts";
import { toGeoJson } from "./track/geojson.ts";
import type { Track, Trip } from "./track/track.ts";
import type { Vehicle } from "./vehicle.ts";

export type TrackFormat = "kml" | "kmz" | "geojson";

type Source = { vehicle: Vehicle; track: Track | undefined; trips: readonly Trip[]; period: DayRange };

/** Stores the track of a vehicle as a file: KML and KMZ as the server writes them, GeoJSON from the points of the page. */
export async function downloadTrack(format: TrackFormat, { vehicle, track, trips, period }: Source) {
  const name = `${vehicle.label} ${period.from} ${period.to}.${format}`;
  if (format === "geojson") {
    if (track)
      save(new Blob([JSON.stringify(toGeoJson(track, vehicle.label))], { type: "application/geo+json" }), name);
    return;
  }
  const [first, last] = [trips[0], trips.at(-1)];
  if (!first || !last) return;
  // The whole period may begin before the tariff's storage period, and then the server writes no file.
  const range = { tracker_id: vehicle.id, from: first.start_date, to: last.end_date };
  const response = await sessionClient().file("/track/download", { ...range, format, simplify: false, split: true });
  save(await response.blob(), name);
}

function save(file: Blob, name: string) {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
