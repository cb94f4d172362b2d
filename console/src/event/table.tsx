import { type ReactNode, useMemo } from "react";
import { linkSearch } from "../component/search-params.ts";
import type { Column } from "../component/table/columns.ts";
import { DataTable } from "../component/table/data-table.tsx";
import { useSearchParams } from "../component/use-search-params.ts";
import { writeCoordinates } from "../format/coordinates.ts";
import type { Format } from "../format/format.ts";
import { useFormat } from "../session/user.tsx";
import type { Texts } from "../text/texts.ts";
import { useTexts } from "../text/use-texts.tsx";
import type { HistoryEvent } from "./rows.ts";

type EventTableProps = { events: HistoryEvent[]; footer?: ReactNode };

/** The events with a column for each of their facts. A row opens its event beside the table. */
export function EventTable({ events, footer }: EventTableProps) {
  const texts = useTexts();
  const format = useFormat();
  const [search] = useSearchParams();
  const columns = useMemo(() => columnsOf(texts, format), [texts, format]);
  return (
    <DataTable
      {...{ label: texts.event.title, rows: events, columns, footer }}
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({ to: "/events", search: linkSearch({ ...search, event: `${id}` }) })}
    />
  );
}

function columnsOf({ event: words, eventNames, list }: Texts, format: Format): Column<HistoryEvent>[] {
  return [
    {
      id: "time",
      label: words.time,
      value: ({ time }) => Date.parse(time),
      render: ({ time }) => format.dateTime(time),
      width: "minmax(14rem, 1fr)",
      isLargestFirst: true,
    },
    {
      id: "tracker",
      label: words.tracker,
      value: ({ extra, tracker_id }) => extra.tracker_label ?? `${tracker_id}`,
      render: ({ extra, tracker_id }) => <bdi>{extra.tracker_label ?? tracker_id}</bdi>,
      width: "minmax(7rem, 1fr)",
    },
    { id: "kind", label: words.kind, value: ({ event }) => eventNames[event], width: "minmax(9rem, 1.2fr)" },
    {
      id: "message",
      label: words.message,
      value: ({ message, extra }) => extra.full_message ?? message,
      width: "minmax(10rem, 2fr)",
    },
    { id: "zones", label: words.zones, value: ({ extra }) => extra.zone_labels?.join(", "), isHidden: true },
    {
      id: "place",
      label: words.place,
      value: ({ address, location }) => address || (location && writeCoordinates(location)),
      width: "minmax(9rem, 1.2fr)",
    },
    { id: "value", label: words.value, value: ({ extra }) => extra.sensor_calculated_value, isHidden: true },
    {
      id: "unread",
      label: words.unread,
      value: ({ is_read }) => (is_read ? list.no : list.yes),
      width: "7rem",
      isHidden: true,
    },
    {
      id: "emergency",
      label: words.emergency,
      value: ({ extra }) => (extra.emergency ? list.yes : list.no),
      width: "7rem",
      isHidden: true,
    },
  ];
}
