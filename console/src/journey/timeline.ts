import type { Schemas } from "../../../clients/typescript/src/index.ts";
import { type Trip, type TripTimes, toTimes } from "./track/track.ts";

export type JourneyEvent = Schemas["HistoryEntry"];
export type Checkin = Schemas["Checkin"];

type Entry = TripTimes & { key: string; trackerId: number };
/** A stay is known by the trips around it: `trip` is the index of the one before, -1 before the first one. */
export type TimelineStay = Entry & { kind: "stay"; address: string; trip: number };
export type TimelineTrip = Entry & { kind: "trip"; trip: Trip };
export type TimelineEvent = Entry & { kind: "event"; event: JourneyEvent };
export type TimelineCheckin = Entry & { kind: "checkin"; checkin: Checkin };
export type TimelineEntry = TimelineStay | TimelineTrip | TimelineEvent | TimelineCheckin;
/** A row of the timeline: the beginning of a day, or an entry of it. */
export type TimelineRow = { kind: "day"; key: string; day: string } | TimelineEntry;

/** The trips of a vehicle and the stays between them. A stay ends with the range, or with the present. */
export function toTripsAndStays(trackerId: number, trips: readonly Trip[], range: TripTimes): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const addStay = (from: number, to: number, trip: number, address: string) => {
    const key = `stay ${trackerId} ${from}`;
    if (to > from && trips.length > 0) entries.push({ kind: "stay", key, trackerId, from, to, trip, address });
  };
  let end = range.from;
  for (const [index, trip] of trips.entries()) {
    const { from, to } = toTimes(trip);
    addStay(end, from, index - 1, trips[index - 1]?.end_address ?? trip.start_address);
    entries.push({ kind: "trip", key: `trip ${trackerId} ${from}`, trackerId, from, to, trip });
    end = to;
  }
  addStay(end, range.to, trips.length - 1, trips.at(-1)?.end_address ?? "");
  return entries;
}

/** The entries of events that happened: without those that late points have proved wrong, and without the notes of that. */
export function toEventEntries(events: readonly JourneyEvent[]): TimelineEvent[] {
  return events.filter(({ event, extra }) => event !== "corrected" && !extra.corrected).map(toEventEntry);
}

function toEventEntry(event: JourneyEvent): TimelineEvent {
  const time = Date.parse(event.time);
  return { kind: "event", key: `event ${event.id}`, trackerId: event.tracker_id, from: time, to: time, event };
}

export function toCheckinEntry(checkin: Checkin): TimelineCheckin {
  const time = Date.parse(checkin.marker_time);
  return {
    kind: "checkin",
    key: `checkin ${checkin.id}`,
    trackerId: checkin.tracker_id,
    from: time,
    to: time,
    checkin,
  };
}

/** All entries in time order, with a row before the first one of each day. */
export function toRows(entries: readonly TimelineEntry[], dayOf: (time: number) => string): TimelineRow[] {
  const rows: TimelineRow[] = [];
  let last = "";
  for (const entry of entries.toSorted((one, other) => one.from - other.from)) {
    const day = dayOf(entry.from);
    if (day !== last) rows.push({ kind: "day", key: `day ${day}`, day });
    last = day;
    rows.push(entry);
  }
  return rows;
}

/** The index of the row of the trip or stay that lasts at a moment; the last one that began if there are several; -1: none. */
export function rowAt(rows: readonly TimelineRow[], time: number): number {
  return rows.findLastIndex(
    (row) => (row.kind === "trip" || row.kind === "stay") && row.from <= time && time < Math.max(row.to, row.from + 1),
  );
}
