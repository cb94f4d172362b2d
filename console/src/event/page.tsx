import { Button, Loader, Text } from "@mantine/core";
import { IconBellOff, IconBellRinging, IconChecks } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useState } from "react";
import { AskDialog } from "../component/ask-dialog.tsx";
import { EmptyState } from "../component/empty-state.tsx";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import { useSearchParams } from "../component/use-search-params.ts";
import type { MapPoint } from "../map/point-map-view.tsx";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { EventDetails } from "./details.tsx";
import styles from "./event.module.css";
import { EventFilters, useEventFilter, useEventView } from "./filters.tsx";
import { EventList } from "./list.tsx";
import { eventQuery, eventsQuery, joinPages, unreadQuery, useMarkAllRead } from "./queries.ts";
import { type HistoryEvent, searchEvents } from "./rows.ts";
import { EventTable } from "./table.tsx";

const PointMapView = lazy(async () => ({ default: (await import("../map/point-map-view.tsx")).PointMapView }));

/** The history: events by day or in a table, and where they happened. Filter, view and open event stand in the address. */
export function EventsPage() {
  const { event: words, eventNames, frame } = useTexts();
  const format = useFormat();
  const [search, change] = useSearchParams();
  const filter = useEventFilter();
  const view = useEventView();
  const pages = useInfiniteQuery(eventsQuery(filter, format.timeZone));
  const text = useDeferredValue(search.q ?? "");
  const events = useMemo(() => pages.data && joinPages(pages.data), [pages.data]);
  const shown = useMemo(
    () => events && searchEvents(events, text, (event) => eventNames[event]),
    [events, text, eventNames],
  );
  const points = useMemo(
    () => (shown ?? []).flatMap((event) => toPoint(event, eventNames[event.event]) ?? []),
    [shown],
  );
  const choose = useCallback((id: number) => change({ event: `${id}` }), [change]);
  const chosen = useChosenEvent(search.event, events);
  const total = pages.data?.pages[0]?.total ?? 0;
  const footer = pages.hasNextPage && <OlderButton isLoading={pages.isFetching} onLoad={pages.fetchNextPage} />;
  return (
    <>
      <PageHeader title={words.title} subtitle={words.subtitle} actions={<Actions />} />
      <EventFilters filter={filter} />
      {pages.error && !events ? (
        <Refusal error={pages.error} onRetry={() => void pages.refetch()} />
      ) : !events || !shown ? (
        <Loader aria-label={frame.loading} />
      ) : (
        <>
          {view === "days" && (
            <Text size="sm" c="dimmed" mb={6} role="status">
              {words.count(format.integer(shown.length), format.integer(total))}
            </Text>
          )}
          {(view === "days" ? shown : events).length === 0 && !chosen ? (
            <EmptyState icon={IconBellOff} title={words.empty.title} text={words.empty.text} />
          ) : (
            <div className={styles.columns} data-view={view}>
              <div className={styles.list}>
                {view === "days" ? (
                  <EventList {...{ events: shown, chosenId: chosen?.id, onChoose: choose, footer }} />
                ) : (
                  <EventTable {...{ events, footer }} />
                )}
              </div>
              {(view === "days" || chosen) && (
                <div className={styles.side}>
                  <div className={styles.map}>
                    <Suspense fallback={<Loader m="md" aria-label={frame.loading} />}>
                      <PointMapView
                        {...{ label: words.map, points, onSelect: choose }}
                        chosen={chosen && toPoint(chosen, eventNames[chosen.event])}
                      />
                    </Suspense>
                  </div>
                  {chosen && <EventDetails event={chosen} onClose={() => change({ event: undefined })} />}
                </div>
              )}
            </div>
          )}
        </>
      )}
    </>
  );
}

/** The event in the address, which need not be in the list. */
function useChosenEvent(id: string | undefined, events: HistoryEvent[] | undefined): HistoryEvent | undefined {
  const listed = useMemo(() => events?.find((event) => `${event.id}` === id), [events, id]);
  const { data } = useQuery({ ...eventQuery(Number(id)), enabled: Boolean(id && events && !listed) });
  return listed ?? (id ? data : undefined);
}

function Actions() {
  const { notification } = useTexts();
  return (
    <>
      <Button
        component={Link}
        to="/settings"
        hash="notifications"
        variant="default"
        leftSection={<IconBellRinging size={16} aria-hidden />}
      >
        {notification.title}
      </Button>
      <MarkAllButton />
    </>
  );
}

function MarkAllButton() {
  const { event: words } = useTexts();
  const { data: unread = 0 } = useQuery(unreadQuery);
  const markAll = useMarkAllRead();
  const [isAsking, setAsking] = useState(false);
  function confirm() {
    setAsking(false);
    markAll.mutate();
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconChecks size={16} aria-hidden />}
        disabled={unread === 0}
        loading={markAll.isPending}
        onClick={() => setAsking(true)}
      >
        {words.markAll}
      </Button>
      {isAsking && (
        <AskDialog
          {...{ title: words.markAllTitle, text: words.markAllText, action: words.markAll, cancel: words.cancel }}
          isBusy={markAll.isPending}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function OlderButton({ isLoading, onLoad }: { isLoading: boolean; onLoad(): Promise<unknown> }) {
  const { event: words } = useTexts();
  return (
    <Button variant="subtle" fullWidth radius={0} h={44} loading={isLoading} onClick={() => void onLoad()}>
      {words.older}
    </Button>
  );
}

function toPoint({ id, location, extra }: HistoryEvent, name: string): MapPoint | undefined {
  if (!location) return undefined;
  const label = [extra.tracker_label, name].filter(Boolean).join(": ");
  return { id, location, label, isAlarming: extra.emergency ?? false };
}
