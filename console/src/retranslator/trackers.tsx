import { Button, Group, Loader, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Refusal } from "../component/refusal.tsx";
import { type Column, type Filter, selectRows } from "../component/table/columns.ts";
import { DataTable } from "../component/table/data-table.tsx";
import { useSearchParams } from "../component/use-search-params.ts";
import { useFormat } from "../session/user.tsx";
import type { Texts } from "../text/texts.ts";
import { useTexts } from "../text/use-texts.tsx";
import { groupsQuery, type Tracker, trackersQuery } from "../tracker/queries.ts";
import { DeviceIdField } from "./device-id-field.tsx";
import { ForwardSwitch } from "./forward-switch.tsx";
import { boundTrackersQuery, type Retranslator, useBindTrackers } from "./queries.ts";
import styles from "./retranslator.module.css";

/** `deviceId`: the id that is sent instead of the device's own one. */
type TrackerRow = { tracker: Tracker; isForwarded: boolean; deviceId: string | undefined; group: string };

/** All trackers, each with a switch that decides whether the retranslator gets its points. */
export function ForwardedTrackers({ retranslator }: { retranslator: Retranslator }) {
  const texts = useTexts();
  const { retranslator: words, frame } = texts;
  const rows = useRows(retranslator.id);
  const [done, setDone] = useState(0);
  const bindAll = useBindTrackers(retranslator.id, setDone);
  const columns = useMemo(
    () => columnsOf(texts, retranslator, bindAll.data ?? new Map()),
    [texts, retranslator, bindAll.data],
  );
  const filters = useMemo(() => filtersOf(texts, rows.data ?? []), [texts, rows.data]);
  const [search] = useSearchParams();
  const { locale, integer } = useFormat();
  const found = useMemo(
    () => selectRows({ rows: rows.data ?? [], columns, filters, search }, locale),
    [rows.data, columns, filters, search, locale],
  );
  const others = found.filter(({ isForwarded, tracker }) => !isForwarded && !tracker.source.blocked);
  const findsAll = found.length === rows.data?.length;
  const start = () => {
    setDone(0);
    bindAll.mutate(others.map(({ tracker }) => tracker.id));
  };
  return (
    <section aria-label={words.trackers}>
      <Group justify="space-between" mt="lg" mb="sm" gap="xs">
        <div>
          <Title order={2} size="h4">
            {words.trackers}
          </Title>
          <Text size="sm" c="dimmed">
            {words.trackersHint}
          </Text>
        </div>
        {others.length > 1 && (
          <Button variant="default" loading={bindAll.isPending} onClick={start}>
            {findsAll ? words.forwardAll : words.forwardFound(integer(others.length))}
          </Button>
        )}
      </Group>
      <BindProgress {...{ done, total: bindAll.variables?.length ?? 0, isPending: bindAll.isPending }} />
      <RefusalCount count={bindAll.data?.size ?? 0} />
      {rows.error && !rows.data ? (
        <Refusal error={rows.error} onRetry={rows.retry} />
      ) : !rows.data ? (
        <Loader aria-label={frame.loading} />
      ) : rows.data.length === 0 ? (
        <Text size="sm">{words.noTrackers}</Text>
      ) : (
        <DataTable
          {...{ label: words.trackers, rows: rows.data, columns, filters }}
          keyOf={({ tracker }) => tracker.id}
        />
      )}
    </section>
  );
}

function BindProgress({ done, total, isPending }: { done: number; total: number; isPending: boolean }) {
  const { retranslator: words } = useTexts();
  const format = useFormat();
  if (!isPending) return null;
  return (
    <Text size="sm" role="status" mb="xs">
      {words.forwardingMany(format.integer(done), format.integer(total))}
    </Text>
  );
}

function RefusalCount({ count }: { count: number }) {
  const { retranslator: words } = useTexts();
  const format = useFormat();
  if (count === 0) return null;
  return (
    <Text size="sm" role="alert" mb="xs" c="var(--mantine-color-error)">
      {words.refusedMany(format.integer(count))}
    </Text>
  );
}

/** The points of a clone belong to another account, which alone may forward them. */
function useRows(retranslator_id: number) {
  const { tracker: words } = useTexts();
  const trackers = useQuery(trackersQuery);
  const groups = useQuery(groupsQuery);
  const bound = useQuery(boundTrackersQuery(retranslator_id));
  const data = useMemo((): TrackerRow[] | undefined => {
    if (!trackers.data || !bound.data) return undefined;
    const titles = new Map((groups.data ?? []).map(({ id, title }) => [id, title]));
    return trackers.data
      .filter(({ clone }) => !clone)
      .map((tracker) => ({
        tracker,
        isForwarded: bound.data.has(tracker.id),
        deviceId: bound.data.get(tracker.id),
        group: titles.get(tracker.group_id) ?? words.noGroup,
      }));
  }, [trackers.data, groups.data, bound.data, words]);
  const retry = () => void Promise.all([trackers.refetch(), bound.refetch()]);
  return { data, error: trackers.error ?? bound.error, retry };
}

function columnsOf(
  { retranslator: words, tracker: { columns: labels } }: Texts,
  retranslator: Retranslator,
  refusals: Map<number, unknown>,
): Column<TrackerRow>[] {
  const { forwarded, notForwarded } = words;
  return [
    { id: "label", label: labels.label, value: ({ tracker }) => tracker.label, width: "minmax(9rem, 1fr)" },
    {
      id: "forwarded",
      label: forwarded,
      value: ({ isForwarded }) => (isForwarded ? forwarded : notForwarded),
      render: ({ tracker: { id, label }, isForwarded }) => (
        <ForwardSwitch
          {...{ retranslator, isForwarded, trackerId: id, refusal: refusals.get(id), label: words.forward(label) }}
        />
      ),
      width: "minmax(8rem, 1fr)",
    },
    {
      id: "id",
      label: words.deviceId,
      value: ({ tracker, deviceId }) => deviceId ?? tracker.source.device_id,
      render: ({ tracker, isForwarded, deviceId }) =>
        isForwarded ? (
          <DeviceIdField {...{ tracker, deviceId, retranslatorId: retranslator.id }} />
        ) : (
          <span className={styles.ownId}>{tracker.source.device_id}</span>
        ),
      width: "minmax(12rem, 1.2fr)",
    },
    { id: "group", label: labels.group, value: ({ group }) => group, width: "minmax(7rem, 1fr)" },
  ];
}

function filtersOf({ retranslator: words, tracker }: Texts, rows: TrackerRow[]): Filter<TrackerRow>[] {
  const groups = new Map(rows.map(({ tracker: { group_id }, group }) => [`${group_id}`, group]));
  return [
    {
      id: "forwarded",
      label: words.forwarded,
      options: [
        { value: "yes", label: words.forwarded },
        { value: "no", label: words.notForwarded },
      ],
      value: ({ isForwarded }) => (isForwarded ? "yes" : "no"),
    },
    {
      id: "groups",
      label: tracker.columns.group,
      options: [...groups].map(([value, label]) => ({ value, label })),
      value: ({ tracker: { group_id } }) => `${group_id}`,
    },
  ];
}
