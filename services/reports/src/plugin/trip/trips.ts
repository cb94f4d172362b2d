import * as z from "zod";
import type { ReportTrip } from "#shared/contract/report-source.ts";
import { COORDINATES, FILTER, GROUPED, SECONDS, SUMMARY, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import type { Section } from "../../layout/sheet.ts";
import { sourceOf, sourceOfAll } from "../../layout/source.ts";
import { byDay, byName, createTable, defineFields, type Field, summaryTable, sumOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { createDriverLookup } from "../../series/drivers.ts";
import { computeIdleTimes } from "../../series/idle.ts";
import { appendCoordinates, sourceOfTrips, withoutShort } from "../../series/trips.ts";

export const trips = plugin({
  id: 4,
  title: ["Trips", "Fahrten"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...SUMMARY, ...FILTER, ...COORDINATES, ...GROUPED },
    /** False merges all trips of a day. */
    split: z.boolean().default(true),
    /** Adds the time of idling within the trip, and of the stop after it. */
    show_idle_duration: z.boolean().default(false),
  }),
  async reportTracker(data, { filter, split, show_coordinates, show_idle_duration, group_by_driver }, writer) {
    const [every, { vehicle, odometer }] = await Promise.all([data.allTrips(), data.equipmentAt()]);
    const driven = withoutShort(every, filter);
    // Filtered trips end a stop, too.
    const nextStarts = new Map(driven.slice(1).map(({ start_time }, index) => [driven[index]?.id, start_time]));
    const selected = driven.filter(({ start_time }) => data.isWithin(start_time));
    const drivers = group_by_driver ? createDriverLookup(await data.drivers(), writer) : () => "";
    const idle = show_idle_duration ? await computeIdleTimes(data, selected) : undefined;
    const all = selected.map(
      (trip, index): TripRow => ({
        ...trip,
        ...{
          driven_ms: trip.end_time - trip.start_time,
          idle_ms: idle?.[index] ?? 0,
          driver: drivers(trip.start_time),
        },
        stopped_ms: (nextStarts.get(trip.id) ?? trip.end_time) - trip.end_time,
        track_ids: [trip.id],
      }),
    );
    const shown = split ? all : mergeByDay(all, writer);
    const columns = [
      ...fieldsFor(writer, show_coordinates),
      ...extraFields(writer, { vehicle, idle: show_idle_duration }),
    ];
    const table = createTable(
      {
        header: writer.words("Trips", "Fahrten"),
        fields: columns,
        items: shown,
        grouping: group_by_driver ? byName<TripRow>(({ driver }) => driver) : byDay<TripRow>(writer),
        sourceOf: sourceOfTrips,
      },
      writer,
    );
    const summary = [...summaryOf(all, data, writer), ...odometerOf(odometer, all.at(-1), data, writer)];
    const note = odometer === null ? [] : [odometerNote(writer)];
    return { sections: [...table, summaryTable(summary, writer), ...note], summary, is_empty: selected.length === 0 };
  },
});

type TripRow = ReportTrip & {
  driven_ms: number;
  idle_ms: number;
  /** Time until the next trip. */
  stopped_ms: number;
  driver: string;
  track_ids: number[];
};
type Range = { from: number; to: number };
type Vehicle = { norm: number | null; fuel_cost: number | null } | null;

function fieldsFor({ words, distanceTitle, speedTitle, ...writer }: Writer, isLocated: boolean): Field<TripRow>[] {
  const [start, end] = [words("Movement start", "Beginn der Fahrt"), words("Movement end", "Ende der Fahrt")];
  return [
    fields.text("from", start, (trip) => writer.place(trip.start_time, appendCoordinates(trip.start, isLocated)), 4),
    fields.text("to", end, (trip) => writer.place(trip.end_time, appendCoordinates(trip.end, isLocated)), 4),
    fields.sum("length", distanceTitle(words("Total trips length", "Gesamtlänge")), writer.distance, kilometersOf),
    fields.sum("time", words("Travel time", "Fahrtdauer"), writer.duration, ({ driven_ms }) => driven_ms),
    fields.value(
      "avg_speed",
      speedTitle(words("Average speed", "Durchschnitt")),
      (trip) => writer.speed(averageOf([trip])),
      (all) => writer.speed(averageOf(all)),
    ),
    fields.most(
      "max_speed",
      speedTitle(words("Max. speed", "Höchstgeschwindigkeit")),
      writer.speed,
      ({ max_speed_kmh }) => max_speed_kmh,
    ),
  ];
}

/** Columns of fuel by the vehicle's norm, its cost, and idling. */
function extraFields(
  { words, duration, measured, volume, volumeTitle }: Writer,
  { vehicle, idle }: { vehicle: Vehicle; idle: boolean },
): Field<TripRow>[] {
  const { norm, fuel_cost } = vehicle ?? { norm: null, fuel_cost: null };
  const liters = (trip: TripRow) => (kilometersOf(trip) * (norm ?? 0)) / 100;
  return [
    ...(idle
      ? [
          fields.sum("idle", words("Idling", "Leerlauf"), duration, ({ idle_ms }) => idle_ms),
          fields.sum("stopped", words("Stopped afterwards", "Halt danach"), duration, ({ stopped_ms }) => stopped_ms),
        ]
      : []),
    ...(norm === null
      ? []
      : [fields.sum("fuel", volumeTitle(words("Fuel by norm", "Verbrauch nach Norm")), volume, liters)]),
    ...(norm === null || fuel_cost === null
      ? []
      : [
          fields.sum(
            "cost",
            words("Fuel cost", "Kraftstoffkosten"),
            measured,
            (trip: TripRow) => liters(trip) * fuel_cost,
          ),
        ]),
  ];
}

function summaryOf(trips: TripRow[], range: Range, { words, named }: Writer) {
  const evidence = sourceOfAll(trips.map(sourceOfTrips), range);
  const driven_ms = sumOf(trips, (trip) => trip.driven_ms);
  return [
    named.count(words("Trips", "Fahrten"), trips.length, evidence),
    named.distance(words("Total trips length", "Gesamtlänge"), sumOf(trips, kilometersOf), evidence),
    named.duration(words("Travel time", "Fahrtdauer"), driven_ms, evidence),
    named.speed(words("Average speed", "Durchschnitt"), averageOf(trips), evidence),
    named.speed(words("Max. speed", "Höchstgeschwindigkeit"), fastestOf(trips), evidence),
  ];
}

type Standing = Range & { now: number };

/** The odometer at the end of the range, or now if that is earlier; its evidence is the last trip. */
function odometerOf(
  kilometers: number | null,
  last: TripRow | undefined,
  { to, now }: Standing,
  { words, named }: Writer,
) {
  if (kilometers === null) return [];
  const time = Math.min(to, now);
  const evidence = { ...(last ? sourceOfTrips(last) : sourceOf({ from: time })), to: time };
  return [named.distance(words("Odometer value", "Kilometerstand"), kilometers, evidence)];
}

function odometerNote({ words }: Writer): Section {
  const text = words(
    "Odometer value at the end of the selected period.",
    "Kilometerstand am Ende des gewählten Zeitraums.",
  );
  return { type: "text", text, style: "small_print" };
}

function kilometersOf({ length_meters }: ReportTrip) {
  return length_meters / 1000;
}

function fastestOf(trips: TripRow[]) {
  return trips.reduce((most, { max_speed_kmh }) => Math.max(most, max_speed_kmh), 0);
}

/** Capped at the greatest speed: distances come from positions, which are measured independently of speeds. */
function averageOf(trips: TripRow[]) {
  const hours = sumOf(trips, ({ driven_ms }) => driven_ms) / 3_600_000;
  return hours > 0 ? Math.min(sumOf(trips, kilometersOf) / hours, fastestOf(trips)) : 0;
}

/** One row for each day and driver. */
function mergeByDay(trips: TripRow[], { dayOf }: Writer): TripRow[] {
  const days = Map.groupBy(trips, ({ start_time, driver }) => `${dayOf(start_time)} ${driver}`);
  return [...days.values()].flatMap((ofDay) => {
    const [first, last] = [ofDay[0], ofDay.at(-1)];
    if (!first || !last) return [];
    return {
      ...first,
      ...{ end_time: last.end_time, end: last.end, track_ids: ofDay.flatMap(({ track_ids }) => track_ids) },
      length_meters: sumOf(ofDay, ({ length_meters }) => length_meters),
      driven_ms: sumOf(ofDay, ({ driven_ms }) => driven_ms),
      idle_ms: sumOf(ofDay, ({ idle_ms }) => idle_ms),
      stopped_ms: sumOf(ofDay, ({ stopped_ms }) => stopped_ms),
      points: sumOf(ofDay, ({ points }) => points),
      max_speed_kmh: fastestOf(ofDay),
    };
  });
}

const fields = defineFields<TripRow>();
