import { Chip, Group, MultiSelect, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { PeriodPicker, usePeriod } from "../component/period-picker.tsx";
import { SearchField } from "../component/search-field.tsx";
import { listIn } from "../component/table/columns.ts";
import { useSearchParams } from "../component/use-search-params.ts";
import { useTexts } from "../text/use-texts.tsx";
import { trackersQuery } from "../tracker/queries.ts";
import type { EventFilter } from "./queries.ts";
import type { EventName } from "./rows.ts";

/** The days of events that the page begins with. */
const FIRST_DAYS = 7;
/** A list of options shows that many; the search in it finds the others. */
const MAX_OPTIONS = 100;

/** The filter in the address of the page. */
export function useEventFilter(): EventFilter {
  const { eventNames } = useTexts();
  const [range] = usePeriod(FIRST_DAYS);
  const [{ trackers, kinds, unread, emergency }] = useSearchParams();
  const isName = (name: string): name is EventName => name in eventNames;
  return {
    range,
    trackers: listIn(trackers).map(Number).filter(Number.isInteger),
    events: listIn(kinds).filter(isName),
    isUnread: unread === "1",
    isEmergency: emergency === "1",
  };
}

export type EventView = "days" | "table";

/** The view of the events that the address names. */
export function useEventView(): EventView {
  const [{ view }] = useSearchParams();
  return view === "table" ? "table" : "days";
}

/** Chooses events by their period, text, trackers and kinds, and whether they stand by days or in a table. */
export function EventFilters({ filter }: { filter: EventFilter }) {
  const { event: words, eventNames, map } = useTexts();
  const [range, setRange] = usePeriod(FIRST_DAYS);
  const view = useEventView();
  const [, change] = useSearchParams();
  const { data: trackers = [] } = useQuery(trackersQuery);
  const trackerOptions = useMemo(() => trackers.map(({ id, label }) => ({ value: `${id}`, label })), [trackers]);
  const kindOptions = useMemo(
    () =>
      Object.entries(eventNames)
        .map(([value, label]) => ({ value, label }))
        .toSorted((one, other) => one.label.localeCompare(other.label)),
    [eventNames],
  );
  return (
    <Group gap="xs" mb="sm">
      <SegmentedControl
        aria-label={words.view}
        value={view}
        onChange={(next) => change({ view: next === "table" ? next : undefined })}
        data={[
          { value: "days", label: words.views.days },
          { value: "table", label: words.views.table },
        ]}
      />
      <PeriodPicker value={range} onChange={setRange} />
      {/* The table has a search of its own. */}
      {view === "days" && <SearchField label={words.search} placeholder={map.search} flex="1 1 140px" maw={320} />}
      <MultiSelect
        aria-label={words.filterTrackers}
        placeholder={filter.trackers.length === 0 ? words.allTrackers : ""}
        data={trackerOptions}
        value={filter.trackers.map(String)}
        onChange={(ids) => change({ trackers: ids.join(",") || undefined })}
        {...{ searchable: true, clearable: true, limit: MAX_OPTIONS, nothingFoundMessage: words.noOption }}
        flex="1 1 140px"
        maw={320}
      />
      <MultiSelect
        aria-label={words.filterKinds}
        placeholder={filter.events.length === 0 ? words.allKinds : ""}
        data={kindOptions}
        value={filter.events}
        onChange={(kinds) => change({ kinds: kinds.join(",") || undefined })}
        {...{ searchable: true, clearable: true, limit: MAX_OPTIONS, nothingFoundMessage: words.noOption }}
        flex="1 1 140px"
        maw={320}
      />
      <Chip checked={filter.isUnread} onChange={(isOn) => change({ unread: isOn ? "1" : undefined })}>
        {words.unread}
      </Chip>
      <Chip checked={filter.isEmergency} onChange={(isOn) => change({ emergency: isOn ? "1" : undefined })}>
        {words.emergency}
      </Chip>
    </Group>
  );
}
