import * as z from "zod";
import type { ReportTrip } from "#shared/contract/report-source.ts";
import { readLocal, writeLocal } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { COORDINATES, FILTER, SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import type { Row, Section, Source } from "../../layout/sheet.ts";
import { sourceOf, sourceOfAll } from "../../layout/source.ts";
import { byName, createTable, defineFields, sumOf } from "../../layout/table.ts";
import { toColumn, type Writer } from "../../layout/writer.ts";
import { nextDay, splitByDay } from "../../series/day-parts.ts";
import { appendCoordinates, type Stop, stopsBetween, withoutShort } from "../../series/trips.ts";

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "must be a time HH:MM" });
const Shift = z.object({ name: z.string().min(1).max(100), start_time: Time, end_time: Time });
type Shift = z.output<typeof Shift>;

export const shifts = plugin({
  id: 77,
  title: ["Trips and stops by shifts", "Fahrten und Halte nach Schichten"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...FILTER, ...COORDINATES },
    shifts: z
      .array(Shift)
      .min(1)
      .max(4)
      .refine((shifts) => new Set(shifts.map(({ name }) => name)).size === shifts.length, {
        error: "must have a name of its own each",
      })
      .refine((shifts) => !doOverlap(shifts), { error: "must not overlap" }),
    /** Splits trips and stops at midnight, one row for each day. */
    split_at_midnight: z.boolean().default(false),
  }),
  async reportTracker(data, { shifts, filter, show_coordinates, split_at_midnight }, writer) {
    const trips = withoutShort(await data.allTrips(), filter);
    const moves = [...trips.map(tripMove), ...stopsBetween(trips).map(stopMove)];
    const parts = moves
      .flatMap((move) => partsOf(move, shifts, writer.zone, split_at_midnight))
      .filter(({ start_time }) => data.isWithin(start_time))
      .toSorted((one, other) => one.start_time - other.start_time);
    const table = createTable(
      {
        header: writer.words("Trips and stops by shifts", "Fahrten und Halte nach Schichten"),
        fields: fieldsFor(writer, show_coordinates),
        items: parts,
        grouping: byName<ShiftPart>(({ day, shift }) => `${writer.date(day)}, ${shift}`),
        sourceOf: sourceOfPart,
      },
      writer,
    );
    const summary = summaryOf(parts, data, writer);
    return {
      sections: [...table, shiftTable(parts, { shifts, range: data }, writer)],
      summary,
      is_empty: parts.length === 0,
    };
  },
});

type Times = { start_time: number; end_time: number };
type Place = ReportTrip["start"];
type Move = Times & {
  kind: "trip" | "stop";
  place: Place;
  length_meters: number;
  track_ids: number[];
  /** The time at `place`; the same for all parts of a move. */
  begun: number;
};
/** The part of a trip or stop that lies in one shift of one day. */
type ShiftPart = Move & { day: string; shift: string };

function tripMove({ id, start_time, end_time, start, length_meters }: ReportTrip): Move {
  return { kind: "trip", start_time, end_time, begun: start_time, place: start, length_meters, track_ids: [id] };
}

function stopMove(stop: Stop): Move {
  return { kind: "stop", ...stop, begun: stop.start_time, length_meters: 0 };
}

/** Splits a move by shifts; the length is divided in proportion to time. */
function partsOf(move: Move, shifts: Shift[], zone: string, splits: boolean): ShiftPart[] {
  const lasted = move.end_time - move.start_time;
  return windowsOf(move, shifts, zone).flatMap(({ shift, day, from, to }) => {
    const whole = [{ day, from: Math.max(from, move.start_time), to: Math.min(to, move.end_time) }];
    const parts = splits ? whole.flatMap((part) => splitByDay(part.from, part.to, zone)) : whole;
    return parts
      .filter((part) => part.to > part.from)
      .map((part) => ({
        ...{ ...move, shift, day: part.day, start_time: part.from, end_time: part.to },
        length_meters: lasted > 0 ? (move.length_meters * (part.to - part.from)) / lasted : 0,
      }));
  });
}

/** The shifts around a move, by day. A shift over midnight belongs to the day on which it begins. */
function windowsOf({ start_time, end_time }: Times, shifts: Shift[], zone: string) {
  const days = new Set<string>();
  // Half steps, because a step of a whole day would skip a day of 23 hours.
  for (let ms = start_time - DAY_MS; ms < end_time + DAY_MS; ms += DAY_MS / 2) {
    days.add(writeLocal(ms, zone).slice(0, 10));
  }
  return [...days].flatMap((day) =>
    shifts.flatMap(({ name, start_time, end_time }) => {
      const from = readLocal(`${day} ${start_time}:00`, zone);
      const last = end_time > start_time ? day : nextDay(day);
      const to = readLocal(`${last} ${end_time}:00`, zone);
      return from === undefined || to === undefined ? [] : { shift: name, day, from, to };
    }),
  );
}

function fieldsFor({ words, ...writer }: Writer, isLocated: boolean) {
  const fields = defineFields<ShiftPart>();
  const [trip, stop] = [words("Trip", "Fahrt"), words("Stop", "Halt")];
  return [
    fields.text("type", words("Type", "Art"), ({ kind }) => writer.text(kind === "trip" ? trip : stop), 1),
    fields.text("start", words("Start", "Beginn"), ({ start_time }) => writer.moment(start_time)),
    fields.text("end", words("End", "Ende"), ({ end_time }) => writer.moment(end_time)),
    fields.text(
      "address",
      words("Address", "Adresse"),
      ({ place }) => writer.address(appendCoordinates(place, isLocated)),
      4,
    ),
    fields.sum("length", writer.distanceTitle(words("Length", "Länge")), writer.distance, kilometersOf),
    fields.sum("trip_time", words("Travel time", "Fahrtdauer"), writer.duration, (part) => lengthOf(part, "trip")),
    fields.sum("stop_time", words("Stopped", "Standzeit"), writer.duration, (part) => lengthOf(part, "stop")),
  ];
}

function sourceOfPart({ track_ids, start_time, end_time, place, begun }: ShiftPart): Source {
  return sourceOf({ track_ids, from: start_time, to: end_time, points: [{ ...place, time: begun }] });
}

/** A table with a column for each shift. */
function shiftTable(parts: ShiftPart[], { shifts, range }: ShiftTableOptions, { words, ...writer }: Writer): Section {
  const row = (title: string, cell: (ofShift: ShiftPart[]) => Row[string]): Row => ({
    name: writer.text(title),
    ...Object.fromEntries(
      shifts.map(({ name }, index) => [`shift_${index}`, cell(parts.filter(({ shift }) => shift === name))]),
    ),
  });
  const timeOf = (kind: Move["kind"]) => (all: ShiftPart[]) =>
    writer.duration(sumOf(all, (one) => lengthOf(one, kind)));
  const rows = [
    row(writer.distanceTitle(words("Length", "Länge")), (all) => writer.distance(sumOf(all, kilometersOf))),
    row(words("Travel time", "Fahrtdauer"), timeOf("trip")),
    row(words("Stopped", "Standzeit"), timeOf("stop")),
  ];
  const header = words("By shifts", "Nach Schichten");
  const names = shifts.map(({ name }, index) => toColumn(`shift_${index}`, name));
  const columns = [toColumn("name", words("Value", "Wert"), { isText: true, width: 2 }), ...names];
  const sources = KINDS_OF_ROWS.map((kinds) => {
    const evidence = (all: ShiftPart[]) =>
      sourceOfAll(all.filter(({ kind }) => kinds.includes(kind)).map(sourceOfPart), range);
    const ofShift = ({ name }: Shift, index: number) =>
      [`shift_${index}`, evidence(parts.filter(({ shift }) => shift === name))] as const;
    return { ...evidence(parts), cells: Object.fromEntries(shifts.map(ofShift)) };
  });
  return { type: "table", header, column_groups: [], columns, data: [{ header: "", rows, sources }] };
}

type ShiftTableOptions = { shifts: Shift[]; range: { from: number; to: number } };
/** The kinds of moves in the rows for length, travel time and stops. */
const KINDS_OF_ROWS: Move["kind"][][] = [["trip"], ["trip"], ["stop"]];

function summaryOf(parts: ShiftPart[], range: ShiftTableOptions["range"], { words, named }: Writer) {
  const evidence = (wanted: Move["kind"]) =>
    sourceOfAll(parts.filter(({ kind }) => kind === wanted).map(sourceOfPart), range);
  const [driven, stopped] = (["trip", "stop"] as const).map((kind) => sumOf(parts, (part) => lengthOf(part, kind)));
  return [
    named.distance(words("Length", "Länge"), sumOf(parts, kilometersOf), evidence("trip")),
    named.duration(words("Travel time", "Fahrtdauer"), driven ?? 0, evidence("trip")),
    named.duration(words("Stopped", "Standzeit"), stopped ?? 0, evidence("stop")),
  ];
}

function lengthOf({ kind, start_time, end_time }: ShiftPart, wanted: Move["kind"]) {
  return kind === wanted ? end_time - start_time : 0;
}

function kilometersOf({ length_meters }: ShiftPart) {
  return length_meters / 1000;
}

function doOverlap(shifts: Shift[]): boolean {
  const spans = shifts.flatMap(({ start_time, end_time }) =>
    end_time > start_time
      ? [{ from: start_time, to: end_time }]
      : [
          { from: start_time, to: "24:00" },
          { from: "00:00", to: end_time },
        ],
  );
  return spans.some((one, index) => spans.slice(index + 1).some((other) => one.from < other.to && other.from < one.to));
}
