import { Button, Loader } from "@mantine/core";
import { IconAntenna, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { EmptyState } from "../component/empty-state.tsx";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import type { Column, Filter } from "../component/table/columns.ts";
import { DataTable } from "../component/table/data-table.tsx";
import type { Format } from "../format/format.ts";
import { serverNow } from "../session/clock.ts";
import { useUser } from "../session/user.tsx";
import type { Texts } from "../text/texts.ts";
import { useTexts } from "../text/use-texts.tsx";
import { groupsQuery, statesQuery, type Tracker, type TrackerState, trackersQuery } from "./queries.ts";
import { connectionOf, StatusMark } from "./status.tsx";

type TrackerRow = { tracker: Tracker; state: TrackerState | undefined; group: string };

/** The list of trackers with their states. */
export function TrackerListPage() {
  const texts = useTexts();
  const { can, format } = useUser();
  const { tracker: words, frame } = texts;
  const trackers = useQuery(trackersQuery);
  const groups = useQuery(groupsQuery);
  const ids = useMemo(
    () => (trackers.data ?? []).filter(({ source }) => !source.blocked).map(({ id }) => id),
    [trackers.data],
  );
  const states = useQuery(statesQuery(ids));
  const rows = useMemo((): TrackerRow[] => {
    const titles = new Map((groups.data ?? []).map(({ id, title }) => [id, title]));
    return (trackers.data ?? []).map((tracker) => ({
      tracker,
      state: states.data?.get(tracker.id),
      group: titles.get(tracker.group_id) ?? words.noGroup,
    }));
  }, [trackers.data, groups.data, states.data, words]);
  const columns = useMemo(() => columnsOf(texts, format), [texts, format]);
  const filters = useMemo(() => filtersOf(texts, rows), [texts, rows]);
  const error = trackers.error ?? states.error;
  const register = can("tracker_register") && (
    <Button component={Link} to="/trackers/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {texts.registration.action}
    </Button>
  );
  return (
    <>
      <PageHeader title={words.title} subtitle={words.subtitle} actions={rows.length > 0 && register} />
      {error && !trackers.data ? (
        <Refusal error={error} onRetry={() => void trackers.refetch()} />
      ) : !trackers.data ? (
        <Loader aria-label={frame.loading} />
      ) : rows.length === 0 ? (
        <EmptyState icon={IconAntenna} title={words.empty.title} text={words.empty.text} action={register} />
      ) : (
        <DataTable
          {...{ label: words.title, rows, columns, filters }}
          keyOf={({ tracker }) => tracker.id}
          linkOf={({ tracker }) => ({ to: "/trackers/$id", params: { id: String(tracker.id) } })}
        />
      )}
    </>
  );
}

function columnsOf({ tracker: words }: Texts, format: Format): Column<TrackerRow>[] {
  const { columns: labels, connection, movement } = words;
  return [
    { id: "label", label: labels.label, value: ({ tracker }) => tracker.label, width: "minmax(11rem, 2fr)" },
    {
      id: "state",
      label: labels.connection,
      value: ({ tracker, state }) => connection[connectionOf(tracker, state)],
      render: ({ tracker, state }) => {
        const status = connectionOf(tracker, state);
        return <StatusMark connection={status} label={connection[status]} />;
      },
      width: "minmax(9rem, 1.2fr)",
    },
    {
      id: "movement",
      label: labels.movement,
      value: ({ state }) => state?.gps.updated && movement[state.movement_status],
      width: "minmax(6rem, 0.8fr)",
    },
    {
      id: "speed",
      label: labels.speed,
      value: ({ state }) => (state?.movement_status === "moving" ? state.gps.speed : null),
      render: ({ state }) => (state?.movement_status === "moving" ? format.speed(state.gps.speed) : ""),
      align: "end",
      width: "minmax(6rem, 0.7fr)",
    },
    {
      id: "updated",
      label: labels.updated,
      value: ({ state }) => state?.last_update && Date.parse(state.last_update),
      render: ({ state }) =>
        state?.last_update && (
          <time dateTime={state.last_update} title={format.dateTime(state.last_update)}>
            {format.ago(state.last_update, serverNow())}
          </time>
        ),
      width: "minmax(8rem, 1fr)",
    },
    { id: "group", label: labels.group, value: ({ group }) => group, width: "minmax(8rem, 1fr)" },
    {
      id: "battery",
      label: labels.battery,
      value: ({ state }) => state?.battery_level,
      render: ({ state }) => typeof state?.battery_level === "number" && format.percent(state.battery_level),
      align: "end",
      isHidden: true,
    },
    { id: "model", label: labels.model, value: ({ tracker }) => tracker.source.model, isHidden: true },
    {
      id: "device",
      label: labels.device,
      value: ({ tracker }) => tracker.source.device_id,
      width: "minmax(10rem, 1fr)",
      isHidden: true,
    },
    {
      id: "created",
      label: labels.created,
      value: ({ tracker }) => Date.parse(tracker.source.creation_date),
      render: ({ tracker }) => format.date(tracker.source.creation_date),
      isHidden: true,
    },
  ];
}

/** Filters with the values that occur. */
function filtersOf({ tracker: words }: Texts, rows: TrackerRow[]): Filter<TrackerRow>[] {
  const connections = new Set(rows.map(({ tracker, state }) => connectionOf(tracker, state)));
  const groups = new Map(rows.map(({ tracker, group }) => [String(tracker.group_id), group]));
  return [
    {
      id: "connection",
      label: words.columns.connection,
      options: [...connections].map((value) => ({ value, label: words.connection[value] })),
      value: ({ tracker, state }) => connectionOf(tracker, state),
    },
    {
      id: "groups",
      label: words.columns.group,
      options: [...groups].map(([value, label]) => ({ value, label })),
      value: ({ tracker }) => String(tracker.group_id),
    },
  ];
}
