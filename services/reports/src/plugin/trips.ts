import { z } from "zod";
import type { ReportTrip } from "#shared/contract/report-source.ts";
import { byDay } from "../layout/days.ts";
import { column, type Writer } from "../layout/writer.ts";
import { FILTER, SECONDS, SUMMARY, TABS } from "./parameters.ts";
import { plugin } from "./plugin.ts";

export const trips = plugin({
  id: 4,
  title: ["Trips", "Fahrten"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...SUMMARY, ...FILTER },
    /** Without, all trips of a day are one. */
    split: z.boolean().default(true),
    show_coordinates: z.boolean().default(false),
  }),
  async partOf(data, { filter, split, show_coordinates }, writer) {
    const kept = (await data.trips()).filter(({ is_short }) => !filter || !is_short);
    const shown = (split ? kept : merged(kept, writer)).map((trip) => (show_coordinates ? located(trip) : trip));
    const table = {
      type: "table" as const,
      header: writer.words("Trips", "Fahrten"),
      column_groups: [] as [],
      columns: columnsFor(writer),
      data: byDay(shown, writer, { row: (trip) => rowOf(trip, writer), total: (all) => totalOf(all, writer) }),
    };
    const summary = summaryOf(kept, writer);
    const values = { type: "map_table" as const, header: writer.words("Summary", "Zusammenfassung"), rows: summary };
    return { sections: [table, values], summary, is_empty: kept.length === 0 };
  },
});

type Shown = ReportTrip & { driven_ms?: number };

function columnsFor({ words, distanceTitle, speedTitle }: Writer) {
  return [
    column("from", words("Movement start", "Beginn der Fahrt"), { isText: true, width: 4 }),
    column("to", words("Movement end", "Ende der Fahrt"), { isText: true, width: 4 }),
    column("length", distanceTitle(words("Total trips length", "Gesamtlänge"))),
    column("time", words("Travel time", "Fahrtdauer")),
    column("avg_speed", speedTitle(words("Average speed", "Durchschnitt"))),
    column("max_speed", speedTitle(words("Max. speed", "Höchstgeschwindigkeit"))),
  ];
}

function rowOf(trip: Shown, writer: Writer) {
  return {
    from: writer.place(trip.start_time, trip.start),
    to: writer.place(trip.end_time, trip.end),
    ...totalOf([trip], writer),
  };
}

function totalOf(trips: Shown[], writer: Writer) {
  const { kilometers, driven_ms, average, fastest } = sumOf(trips);
  return {
    length: writer.distance(kilometers),
    time: writer.duration(driven_ms),
    avg_speed: writer.speed(average),
    max_speed: writer.speed(fastest),
  };
}

function summaryOf(trips: ReportTrip[], { words, named }: Writer) {
  const { kilometers, driven_ms, average, fastest } = sumOf(trips);
  return [
    named.count(words("Trips", "Fahrten"), trips.length),
    named.distance(words("Total trips length", "Gesamtlänge"), kilometers),
    named.duration(words("Travel time", "Fahrtdauer"), driven_ms),
    named.speed(words("Average speed", "Durchschnitt"), average),
    named.speed(words("Max. speed", "Höchstgeschwindigkeit"), fastest),
  ];
}

/** What an average is beyond the greatest speed comes of places that were measured apart from speeds. */
function sumOf(trips: Shown[]) {
  const kilometers = trips.reduce((sum, { length_meters }) => sum + length_meters, 0) / 1000;
  const driven_ms = trips.reduce((sum, trip) => sum + (trip.driven_ms ?? trip.end_time - trip.start_time), 0);
  const fastest = trips.reduce((most, { max_speed }) => Math.max(most, max_speed), 0);
  const average = driven_ms > 0 ? Math.min(kilometers / (driven_ms / 3_600_000), fastest) : 0;
  return { kilometers, driven_ms, average, fastest };
}

/** One for each day. */
function merged(trips: ReportTrip[], { dayOf }: Writer): Shown[] {
  const days = Map.groupBy(trips, ({ start_time }) => dayOf(start_time));
  return [...days.values()].flatMap((ofDay) => {
    const [first, last] = [ofDay[0], ofDay.at(-1)];
    if (!first || !last) return [];
    return {
      ...first,
      ...{ end_time: last.end_time, end: last.end },
      length_meters: ofDay.reduce((sum, { length_meters }) => sum + length_meters, 0),
      driven_ms: ofDay.reduce((sum, { start_time, end_time }) => sum + end_time - start_time, 0),
      max_speed: ofDay.reduce((most, { max_speed }) => Math.max(most, max_speed), 0),
    };
  });
}

function located(trip: Shown): Shown {
  return { ...trip, start: withCoordinates(trip.start), end: withCoordinates(trip.end) };
}

export function withCoordinates<Place extends { lat: number; lng: number; address: string }>(place: Place): Place {
  const { lat, lng, address } = place;
  const coordinates = `${lat.toFixed(6)}, ${lng.toFixed(6)}`;
  return { ...place, address: address ? `${address} (${coordinates})` : coordinates };
}
