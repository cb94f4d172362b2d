import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../../clients/typescript/src/index.ts";
import { type DayRange, toMoments } from "../format/calendar.ts";
import { call } from "../session/api.ts";

export type Tracker = Schemas["Tracker"];
export type TrackerState = Schemas["TrackerState"];

/** How often the states of a page that is looked at are read again. */
const STATES_REFRESH_MS = 30_000;
/** The most trackers of one call of `tracker/get_states`. */
const MAX_STATES_PER_CALL = 1_000;

export const trackersQuery = queryOptions({
  queryKey: ["tracker", "list"],
  queryFn: async ({ signal }) => (await call("/tracker/list", {}, { signal })).list,
});

export const groupsQuery = queryOptions({
  queryKey: ["tracker", "group", "list"],
  queryFn: async ({ signal }) => (await call("/tracker/group/list", undefined, { signal })).list,
});

/** The states by tracker id; blocked trackers have none. */
export function statesQuery(ids: number[]) {
  return queryOptions({
    queryKey: ["tracker", "states", ids],
    queryFn: async ({ signal }) => {
      const states = new Map<number, TrackerState>();
      for (let first = 0; first < ids.length; first += MAX_STATES_PER_CALL) {
        const trackers = ids.slice(first, first + MAX_STATES_PER_CALL);
        const reply = await call(
          "/tracker/get_states",
          { trackers, list_blocked: true, allow_not_exist: true },
          { signal },
        );
        for (const [id, state] of Object.entries(reply.states)) states.set(Number(id), state);
      }
      return states;
    },
    refetchInterval: STATES_REFRESH_MS,
    enabled: ids.length > 0,
  });
}

export function trackerQuery(tracker_id: number) {
  return queryOptions({
    queryKey: ["tracker", "read", tracker_id],
    queryFn: async ({ signal }) => (await call("/tracker/read", { tracker_id }, { signal })).value,
  });
}

export function stateQuery(tracker_id: number) {
  return queryOptions({
    queryKey: ["tracker", "state", tracker_id],
    queryFn: async ({ signal }) => (await call("/tracker/get_state", { tracker_id }, { signal })).state,
    refetchInterval: STATES_REFRESH_MS,
  });
}

export function driverQuery(tracker_id: number) {
  return queryOptions({
    queryKey: ["tracker", "driver", tracker_id],
    queryFn: async ({ signal }) => (await call("/tracker/employee/read", { tracker_id }, { signal })).current,
  });
}

export function readingsQuery(tracker_id: number) {
  return queryOptions({
    queryKey: ["tracker", "readings", tracker_id],
    queryFn: ({ signal }) => call("/tracker/readings/list", { tracker_id }, { signal }),
    refetchInterval: STATES_REFRESH_MS,
  });
}

/** The address of a position, with about a hundred meters of precision: a vehicle that stands moves a little, too. */
export function addressQuery({ lat, lng }: { lat: number; lng: number }, lang: string) {
  const location = { lat: Number(lat.toFixed(3)), lng: Number(lng.toFixed(3)) };
  return queryOptions({
    queryKey: ["address", location, lang],
    queryFn: async ({ signal }) => (await call("/geocoder/search_location", { location, lang }, { signal })).value,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function journeysQuery(tracker_id: number, range: DayRange, timeZone: string) {
  return queryOptions({
    queryKey: ["tracker", "journeys", tracker_id, range, timeZone],
    queryFn: async ({ signal }) =>
      (await call("/track/list", { tracker_id, ...toMoments(range, timeZone) }, { signal })).list,
  });
}
