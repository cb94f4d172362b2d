import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { addDays, type DayRange, dayOf, startOfDay } from "../format/calendar.ts";
import type { Mark } from "../map/mark.ts";
import type { Bounds } from "../map/track-map.ts";
import { serverNow } from "../session/clock.ts";
import { useUser } from "../session/user.tsx";
import { toMarks } from "./marks.ts";
import { checkinsQuery, eventsQuery, MAX_EVENTS, tripsQuery } from "./queries.ts";
import {
  type TimelineEntry,
  type TimelineRow,
  toCheckinEntry,
  toEventEntries,
  toRows,
  toTripsAndStays,
} from "./timeline.ts";
import { type Track, type Trip, type TripTimes, toTimes } from "./track/track.ts";
import type { VehicleTrips } from "./use-tracks.ts";

export const KINDS = ["trip", "stay", "event", "checkin"] as const;
export type Kind = (typeof KINDS)[number];

export type Journeys = {
  /** The days of the period, longer if a trip goes over their ends; undefined until all trips are known. */
  range: TripTimes | undefined;
  vehicles: readonly VehicleTrips[] | undefined;
  times: readonly TripTimes[];
  bounds: Bounds | undefined;
  entries: readonly TimelineEntry[];
  isShortened: boolean;
  hasMoreEvents: boolean;
  error: unknown;
  retry(): void;
};

/** Trips, stays, events and check-ins of vehicles in a period. */
export function useJourneys(ids: readonly number[], period: DayRange): Journeys {
  const { format, isMaster, can } = useUser();
  const { timeZone } = format;
  const queries = useQueries({
    queries: ids.map((id) => tripsQuery(id, period, timeZone)),
    combine: (results) => ({
      replies: results.every(({ data }) => data) ? results.flatMap(({ data }) => data ?? []) : undefined,
      error: results.find(({ error }) => error)?.error,
      retry: () => void Promise.all(results.map(({ refetch }) => refetch())),
    }),
  });
  const trackers = useMemo(() => [...ids], [ids]);
  const events = useQuery(eventsQuery(trackers, period, timeZone)).data;
  const mayReadCheckins = ids.length > 0 && (isMaster || can("employee_update"));
  const checkins = useQuery({ ...checkinsQuery(trackers, period, timeZone), enabled: mayReadCheckins }).data;
  const { replies } = queries;
  const trips = useMemo(() => {
    const vehicles = replies?.map(({ trips }, index) => ({ id: ids[index] ?? 0, trips }));
    const all = vehicles?.flatMap(({ trips }) => trips) ?? [];
    const times = all.map(toTimes).toSorted((one, other) => one.from - other.from);
    return { vehicles, times, bounds: boundsOf(all), range: vehicles && rangeOf(period, times, timeZone) };
  }, [replies, ids, period, timeZone]);
  const entries = useMemo(() => {
    const { vehicles = [], range } = trips;
    if (!range) return [];
    return [
      ...vehicles.flatMap(({ id, trips }) => toTripsAndStays(id, trips, range)),
      ...toEventEntries(events ?? []),
      ...(checkins ?? []).map(toCheckinEntry),
    ];
  }, [trips, events, checkins]);
  return {
    ...{ ...trips, entries, error: queries.error, retry: queries.retry },
    isShortened: replies?.some(({ isShortened }) => isShortened) ?? false,
    hasMoreEvents: events?.length === MAX_EVENTS,
  };
}

/** The rows of the timeline, by the days of the user. */
export function useRows(entries: readonly TimelineEntry[]): TimelineRow[] {
  const { timeZone } = useUser().format;
  return useMemo(() => toRows(entries, (time) => dayOf(time, timeZone)), [entries, timeZone]);
}

/** The marks of the map. */
export function useMarks(entries: readonly TimelineEntry[], tracks: ReadonlyMap<number, Track>): Mark[] {
  const { duration } = useUser().format;
  const cache = useMemo(() => new Map<TimelineEntry, Mark>(), [entries, duration]);
  return useMemo(() => toMarks(entries, tracks, duration, cache), [entries, tracks, duration, cache]);
}

function rangeOf({ from, to }: DayRange, times: readonly TripTimes[], timeZone: string): TripTimes {
  const start = startOfDay(from, timeZone);
  const end = Math.min(startOfDay(addDays(to, 1), timeZone), Math.max(serverNow(), start + 1000));
  const last = times.reduce((latest, { to }) => Math.max(latest, to), end);
  return { from: Math.min(start, times[0]?.from ?? start), to: last };
}

function boundsOf(trips: readonly Trip[]): Bounds | undefined {
  if (trips.length === 0) return undefined;
  const west = Math.min(...trips.map(({ bounds }) => bounds.nw.lng));
  // Bounds over the date line end beyond 180 degrees.
  const east = Math.max(...trips.map(({ bounds: { nw, se } }) => (se.lng < nw.lng ? se.lng + 360 : se.lng)));
  const south = Math.min(...trips.map(({ bounds }) => bounds.se.lat));
  const north = Math.max(...trips.map(({ bounds }) => bounds.nw.lat));
  return [west, south, east, north];
}
