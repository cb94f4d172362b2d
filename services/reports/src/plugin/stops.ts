import { z } from "zod";
import type { ReportTrip } from "#shared/contract/report-source.ts";
import { byDay } from "../layout/days.ts";
import { column } from "../layout/writer.ts";
import { FILTER, SECONDS, TABS } from "./parameters.ts";
import { plugin } from "./plugin.ts";
import { withCoordinates } from "./trips.ts";

export const stops = plugin({
  id: 6,
  title: ["Stops", "Halte"],
  parameters: z.object({ ...SECONDS, ...TABS, ...FILTER, show_coordinates: z.boolean().default(false) }),
  async partOf(data, { filter, show_coordinates }, writer) {
    const { words } = writer;
    const trips = (await data.trips()).filter(({ is_short }) => !filter || !is_short);
    const stops = stopsBetween(trips).map((stop) =>
      show_coordinates ? { ...stop, place: withCoordinates(stop.place) } : stop,
    );
    const table = {
      type: "table" as const,
      header: words("Stops", "Halte"),
      column_groups: [] as [],
      columns: [
        column("start", words("Start", "Beginn"), { isText: true, width: 2 }),
        column("end", words("End", "Ende"), { isText: true, width: 2 }),
        column("address", words("Address", "Adresse"), { isText: true, width: 4 }),
        column("duration", words("Duration", "Dauer")),
      ],
      data: byDay(stops, writer, {
        row: ({ start_time, end_time, place }) => ({
          start: writer.moment(start_time),
          end: writer.moment(end_time),
          address: { ...writer.text(place.address), location: { lat: place.lat, lng: place.lng } },
          duration: writer.duration(end_time - start_time),
        }),
        total: (all) => ({ duration: writer.duration(sumOf(all)) }),
      }),
    };
    const summary = [
      writer.named.count(words("Stops", "Halte"), stops.length),
      writer.named.duration(words("Stopped", "Standzeit"), sumOf(stops)),
    ];
    return { sections: [table], summary, is_empty: stops.length === 0 };
  },
});

/** From the end of a trip to the start of the next. */
function stopsBetween(trips: ReportTrip[]) {
  return trips.slice(1).flatMap((next, index) => {
    const before = trips[index];
    if (!before) return [];
    return { start_time: before.end_time, end_time: next.start_time, place: before.end };
  });
}

function sumOf(stops: { start_time: number; end_time: number }[]) {
  return stops.reduce((sum, { start_time, end_time }) => sum + end_time - start_time, 0);
}
