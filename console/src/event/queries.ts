import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { Reply } from "../../../clients/typescript/src/index.ts";
import { noticeFailure } from "../component/notice.ts";
import { type DayRange, toMoments } from "../format/calendar.ts";
import { call } from "../session/api.ts";
import { useTexts } from "../text/use-texts.tsx";
import type { EventName, HistoryEvent } from "./rows.ts";

export type EventFilter = {
  range: DayRange;
  /** Empty: all. */
  trackers: number[];
  events: EventName[];
  isUnread: boolean;
  isEmergency: boolean;
};
type Page = Reply<"/history/user/list">;

const EVENTS_PER_PAGE = 1_000;
const REFRESH_MS = 60_000;
const LIST_KEY = ["history", "list"];
const UNREAD_KEY = ["history", "unread"];

/** Events by pages, newest first: each page ends where the next one begins, in time. */
export function eventsQuery({ range, trackers, events, isUnread, isEmergency }: EventFilter, timeZone: string) {
  const { from, to } = toMoments(range, timeZone);
  return infiniteQueryOptions({
    queryKey: [...LIST_KEY, from, to, trackers, events, isUnread, isEmergency],
    initialPageParam: to,
    queryFn: ({ pageParam, signal }): Promise<Page> => {
      const wanted = {
        ...{ from, to: pageParam, ascending: false, limit: EVENTS_PER_PAGE, add_tracker_label: false },
        ...{ events: events.length > 0 ? events : null, only_unread: isUnread, only_emergency: isEmergency },
      };
      return trackers.length > 0
        ? call("/history/tracker/list", { ...wanted, trackers }, { signal })
        : call("/history/user/list", wanted, { signal });
    },
    getNextPageParam: ({ list }) => (list.length < EVENTS_PER_PAGE ? undefined : list.at(-1)?.time),
    refetchInterval: REFRESH_MS,
  });
}

/** All events of the pages. Those of the second in which a page ends are in the next one, too. */
export function joinPages({ pages }: InfiniteData<Page>): HistoryEvent[] {
  const events = new Map(pages.flatMap(({ list }) => list.map((event) => [event.id, event] as const)));
  return [...events.values()];
}

export function eventQuery(id: number) {
  return queryOptions({
    queryKey: ["history", "read", id],
    queryFn: async ({ signal }) => (await call("/history/read", { id }, { signal })).value,
    retry: false,
  });
}

/** The number of unread events of a year. */
export const unreadQuery = queryOptions({
  queryKey: UNREAD_KEY,
  queryFn: async ({ signal }) => (await call("/history/unread/count", {}, { signal })).count,
  refetchInterval: REFRESH_MS,
});

/** Marks one event as read; the page shows it at once. */
export function useMarkRead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call("/history/mark_read", { id }),
    onMutate: (id) => {
      queries.setQueriesData<InfiniteData<Page>>({ queryKey: LIST_KEY }, (data) => data && markIn(data, id));
      queries.setQueryData(UNREAD_KEY, (count?: number) => count && count - 1);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: UNREAD_KEY }),
  });
}

export function useMarkAllRead() {
  const queries = useQueryClient();
  const texts = useTexts();
  return useMutation({
    mutationFn: () => call("/history/mark_read_all"),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["history"] }),
    onError: (thrown) => noticeFailure(thrown, texts),
  });
}

function markIn(data: InfiniteData<Page>, id: number): InfiniteData<Page> {
  const mark = (event: HistoryEvent) => (event.id === id ? { ...event, is_read: true } : event);
  return { ...data, pages: data.pages.map((page) => ({ ...page, list: page.list.map(mark) })) };
}
