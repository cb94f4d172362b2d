import { queryOptions } from "@tanstack/react-query";
import type { Reply } from "../../../clients/typescript/src/index.ts";
import { call } from "../session/api.ts";
import { type Outline, toShape, type Zone } from "./zone-shape.ts";

export type ZoneVisit = Reply<"/zone/visit/list">["list"][number];
export type ZoneUpload = Reply<"/zone/upload">;

/** The most trackers of one call of `zone/visit/list`. */
const MAX_TRACKERS_PER_CALL = 100;
const VISIT_DAYS = 30;
const MAX_ZONES_READ_SINGLY = 10;
const DAY_MS = 86_400_000;

export const ZONE_KEY = ["zone"];

/** All zones with their points, which the map shows. */
export const zonesQuery = queryOptions({
  queryKey: [...ZONE_KEY, "list"],
  queryFn: async ({ signal }) => (await call("/zone/list", { with_points: true }, { signal })).list,
});

export function zoneQuery(zone_id: number) {
  return queryOptions({
    queryKey: [...ZONE_KEY, "read", zone_id],
    queryFn: async ({ signal }) => (await call("/zone/read", { zone_id, with_points: true }, { signal })).value,
  });
}

/** Chosen zones with their points. Few of them are read one by one: the account may have thousands of others. */
export function chosenZonesQuery(ids: number[]) {
  return queryOptions({
    queryKey: [...ZONE_KEY, "chosen", ids],
    queryFn: async ({ signal }): Promise<Zone[]> => {
      if (ids.length > MAX_ZONES_READ_SINGLY) {
        const chosen = new Set(ids);
        const { list } = await call("/zone/list", { with_points: true }, { signal });
        return list.filter(({ id }) => chosen.has(id));
      }
      const read = ids.map((zone_id) => call("/zone/read", { zone_id, with_points: true }, { signal }));
      return (await Promise.all(read)).map(({ value }) => value);
    },
    enabled: ids.length > 0,
  });
}

/** A zone as an area of a map. */
export function toArea({ id, label, color, ...outline }: Pick<Zone, "id" | "label" | "color"> & Outline) {
  return { id, label, color, shape: toShape(outline) };
}

type VisitSearch = {
  zone: Parameters<typeof call<"/zone/visit/list">>[1]["zone"];
  trackers: number[];
  now: number;
  onProgress(done: number): void;
};

/** Finds the visits of trackers in a zone during the last days, for some trackers at a time, so that the page shows progress. */
export async function findVisits({ zone, trackers, now, onProgress }: VisitSearch) {
  const range = { from: new Date(now - VISIT_DAYS * DAY_MS).toISOString(), to: new Date(now).toISOString() };
  const visits: ZoneVisit[] = [];
  let isExceeded = false;
  for (let first = 0; first < trackers.length; first += MAX_TRACKERS_PER_CALL) {
    const part = trackers.slice(first, first + MAX_TRACKERS_PER_CALL);
    const { list, limit_exceeded } = await call("/zone/visit/list", { zone, trackers: part, ...range });
    visits.push(...list);
    isExceeded ||= limit_exceeded;
    onProgress(Math.min(first + part.length, trackers.length));
  }
  return { visits, isExceeded };
}
