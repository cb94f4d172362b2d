import { queryOptions } from "@tanstack/react-query";
import type { Reply } from "../../../clients/typescript/src/index.ts";
import { type DayRange, toMoments } from "../format/calendar.ts";
import { call, sessionClient } from "../session/api.ts";
import type { Checkin } from "./timeline.ts";
import type { ReadPoints } from "./track/load-track.ts";
import type { Trip } from "./track/track.ts";

/** The most events of one call. */
export const MAX_EVENTS = 1_000;
const MAX_CHECKINS = 1_000;

/** The trips of a vehicle. `isShortened`: the tariff does not keep the whole period. */
export function tripsQuery(tracker_id: number, range: DayRange, timeZone: string) {
  return queryOptions({
    queryKey: ["journey", "trips", tracker_id, range, timeZone],
    queryFn: async ({ signal }) => {
      const reply = await call("/track/list", { tracker_id, ...toMoments(range, timeZone) }, { signal });
      const trips = reply.list.filter((track): track is Trip => "length" in track);
      return { trips, isShortened: reply.limit_exceeded };
    },
    staleTime: 60_000,
  });
}

export function eventsQuery(trackers: number[], range: DayRange, timeZone: string) {
  return queryOptions({
    queryKey: ["journey", "events", trackers, range, timeZone],
    queryFn: async ({ signal }) =>
      (await call("/history/tracker/list", { trackers, ...toMoments(range, timeZone), limit: MAX_EVENTS }, { signal }))
        .list,
    enabled: trackers.length > 0,
    staleTime: 60_000,
  });
}

export function checkinsQuery(trackers: number[], range: DayRange, timeZone: string) {
  return queryOptions({
    queryKey: ["journey", "checkins", trackers, range, timeZone],
    queryFn: async ({ signal }) => {
      const list: Checkin[] = [];
      for await (const checkin of sessionClient().each(
        "/checkin/list",
        { trackers, ...toMoments(range, timeZone) },
        { signal },
      )) {
        list.push(checkin);
        if (list.length === MAX_CHECKINS) break;
      }
      return list;
    },
    staleTime: 60_000,
  });
}

export function employeeQuery(employee_id: number) {
  return queryOptions({
    queryKey: ["employee", "read", employee_id],
    queryFn: async ({ signal }) => (await call("/employee/read", { employee_id }, { signal })).value,
    staleTime: 60_000,
  });
}

/** The most trackers of one call of `track/position/list`. */
const MAX_POSITIONS_PER_CALL = 500;

/** Where trackers were at a moment, in UTC ms. */
export function positionsQuery(ids: number[], moment: number) {
  return queryOptions({
    queryKey: ["journey", "positions", ids, moment],
    queryFn: async ({ signal }) => {
      const time = new Date(moment).toISOString();
      const positions: Reply<"/track/position/list">["list"] = [];
      let isShortened = false;
      for (let first = 0; first < ids.length; first += MAX_POSITIONS_PER_CALL) {
        const trackers = ids.slice(first, first + MAX_POSITIONS_PER_CALL);
        const { list, limit_exceeded } = await call("/track/position/list", { trackers, time }, { signal });
        positions.push(...list);
        isShortened ||= limit_exceeded;
      }
      return { positions, isShortened };
    },
    staleTime: 60_000,
  });
}

/** Reads the points of a chunk. */
export const readPoints: ReadPoints = async (tracker_id, { from, to, limit }, signal) => {
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const thinning = limit === undefined ? { simplify: false } : { simplify: true, point_limit: limit };
  return (await call("/track/read", { tracker_id, ...range, ...thinning }, { signal })).list;
};
