import { queryOptions } from "@tanstack/react-query";
import { call, sessionClient } from "../session/api.ts";

const DAY_MS = 86_400_000;
const MAX_EVENTS = 5;
const MAX_TASKS = 3;

export const tagsQuery = queryOptions({
  queryKey: ["tag", "list"],
  queryFn: async ({ signal }) => (await call("/tag/list", {}, { signal })).list,
});

/** The departments of the trackers, by their employees; read only when the list is arranged by them. */
export const departmentsQuery = queryOptions({
  queryKey: ["department", "of trackers"],
  queryFn: async ({ signal }) => {
    const { list } = await call("/department/list", undefined, { signal });
    const labels = new Map(list.map(({ id, label }) => [id, label]));
    const ofTracker = new Map<number, { id: number; label: string }>();
    for await (const { tracker_id, department_id } of sessionClient().each("/employee/list", {})) {
      const label = department_id === null ? undefined : labels.get(department_id);
      if (tracker_id !== null && department_id !== null && label)
        ofTracker.set(tracker_id, { id: department_id, label });
    }
    return ofTracker;
  },
});

/** Tasks that the tracker has now. */
export function openTasksQuery(tracker_id: number) {
  return queryOptions({
    queryKey: ["task", "open", tracker_id],
    queryFn: async ({ signal }) => {
      const wanted = {
        trackers: [tracker_id],
        statuses: ["assigned" as const, "arrived" as const, "delayed" as const],
      };
      return (await call("/task/list", { ...wanted, limit: MAX_TASKS }, { signal })).list;
    },
  });
}

/** The newest events of the last day. */
export function recentEventsQuery(tracker_id: number, now: () => number) {
  return queryOptions({
    queryKey: ["history", "recent", tracker_id],
    queryFn: async ({ signal }) => {
      const to = new Date(now());
      const range = { from: new Date(to.getTime() - DAY_MS).toISOString(), to: to.toISOString() };
      const wanted = { trackers: [tracker_id], ...range, limit: MAX_EVENTS, ascending: false };
      return (await call("/history/tracker/list", wanted, { signal })).list;
    },
    refetchInterval: 30_000,
  });
}
