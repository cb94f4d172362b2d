import { Text } from "@mantine/core";
import {
  IconCalendarEvent,
  IconChecklist,
  IconParkingCircleFilled,
  IconRoute,
  type TablerIcon,
} from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { useVirtualList } from "../component/table/virtual-list.ts";
import { startOfDay } from "../format/calendar.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { vehicleColor } from "./colors.ts";
import styles from "./journey.module.css";
import type { ReplayClock } from "./replay/replay-clock.ts";
import { useClock } from "./replay/use-replay.ts";
import { rowAt, type TimelineEntry, type TimelineRow } from "./timeline.ts";
import type { Vehicle } from "./vehicle.ts";

type TimelineListProps = {
  rows: TimelineRow[];
  vehicles: readonly Vehicle[];
  clock: ReplayClock;
  /** The row of a mark that was pressed on the map. */
  marked: string | undefined;
  onPick(entry: TimelineEntry): void;
};

const HEIGHTS: Record<TimelineRow["kind"], number> = { day: 34, trip: 78, stay: 56, event: 56, checkin: 56 };

/** Days with their trips, stays, events and check-ins. The one at the moment of the clock is marked; a press goes there. */
export function TimelineList({ rows, vehicles, clock, marked, onPick }: TimelineListProps) {
  const { journey: words } = useTexts();
  const [focused, setFocused] = useState(-1);
  const current = useClock(clock, () => rowAt(rows, clock.time));
  const { scroller, virtualizer, focus } = useVirtualList({
    rows,
    heightOf: ({ kind }) => HEIGHTS[kind],
    keyOf: ({ key }) => key,
    target: "button",
    takesFocus: ({ kind }) => kind !== "day",
  });
  useEffect(() => virtualizer.measure(), [rows, virtualizer]);
  useEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(current, { align: "auto" });
  }, [current, virtualizer]);
  useEffect(() => {
    const index = rows.findIndex(({ key }) => key === marked);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: "center" });
    // Rows that change must not pull the list along.
  }, [marked]);
  const entry = rows[focused] && rows[focused].kind !== "day" ? focused : rows.findIndex(({ kind }) => kind !== "day");
  return (
    <div ref={scroller} className={styles.scroller}>
      <ol
        aria-label={words.timeline}
        className={styles.rows}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={focus.onKeyDown}
        onFocus={focus.onFocus}
      >
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={row.key}
              data-index={index}
              className={styles.row}
              style={{ transform: `translateY(${start}px)`, height: size }}
            >
              {row.kind === "day" ? (
                <Day day={row.day} />
              ) : (
                <button
                  type="button"
                  className={styles.entry}
                  aria-current={index === current ? "true" : undefined}
                  data-marked={row.key === marked || undefined}
                  tabIndex={index === entry ? 0 : -1}
                  onFocus={() => setFocused(index)}
                  onClick={() => onPick(row)}
                >
                  <Entry
                    entry={row}
                    vehicle={vehicles.length > 1 ? vehicles.find(({ id }) => id === row.trackerId) : undefined}
                  />
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function Day({ day }: { day: string }) {
  const { timeZone, date } = useFormat();
  return <h3 className={styles.day}>{date(startOfDay(day, timeZone))}</h3>;
}

function Entry({ entry, vehicle }: { entry: TimelineEntry; vehicle: Vehicle | undefined }) {
  const { journey: words } = useTexts();
  const format = useFormat();
  const duration = format.duration((entry.to - entry.from) / 1000);
  const period = `${format.time(entry.from)} – ${format.time(entry.to)}`;
  if (entry.kind === "trip") {
    const { length, max_speed, start_address, end_address } = entry.trip;
    return (
      <Lines icon={IconRoute} kind="trip" title={`${words.trip} ${period}`} vehicle={vehicle}>
        <Line text={words.details(format.distance(length), duration, format.speed(max_speed))} />
        <Line text={`${start_address} → ${end_address}`} isDimmed />
      </Lines>
    );
  }
  if (entry.kind === "stay")
    return (
      <Lines icon={IconParkingCircleFilled} kind="stay" title={`${words.stay} ${duration}`} vehicle={vehicle}>
        <Line text={describePlace(period, entry.address)} isDimmed />
      </Lines>
    );
  if (entry.kind === "event")
    return (
      <Lines icon={IconCalendarEvent} kind="event" title={entry.event.message} vehicle={undefined}>
        <Line text={describePlace(format.time(entry.from), entry.event.address)} isDimmed />
      </Lines>
    );
  const { comment, location } = entry.checkin;
  return (
    <Lines
      icon={IconChecklist}
      kind="checkin"
      title={comment ? `${words.checkin}: ${comment}` : words.checkin}
      vehicle={vehicle}
    >
      <Line text={describePlace(format.time(entry.from), location.address)} isDimmed />
    </Lines>
  );
}

/** The address may be unknown. */
function describePlace(time: string, address: string) {
  return address === "" ? time : `${time} · ${address}`;
}

type LinesProps = {
  icon: TablerIcon;
  kind: TimelineEntry["kind"];
  title: string;
  vehicle: Vehicle | undefined;
  children: ReactNode;
};

function Lines({ icon: Icon, kind, title, vehicle, children }: LinesProps) {
  return (
    <>
      <Icon size={20} className={styles.icon} data-kind={kind} aria-hidden />
      <span className={styles.lines}>
        <span className={styles.entryTitle}>
          <bdi>{title}</bdi>
          {vehicle && <VehicleName vehicle={vehicle} />}
        </span>
        {children}
      </span>
    </>
  );
}

function Line({ text, isDimmed = false }: { text: string; isDimmed?: boolean }) {
  return (
    <Text component="span" size="xs" c={isDimmed ? "dimmed" : undefined} className={styles.line} title={text}>
      {text}
    </Text>
  );
}

/** The colour of a vehicle on the map and in the graph, with its name. */
export function VehicleName({ vehicle: { label, index } }: { vehicle: Vehicle }) {
  return (
    <span className={styles.vehicleName}>
      <span className={styles.swatch} style={{ background: vehicleColor(index) }} aria-hidden />
      <bdi>{label}</bdi>
    </span>
  );
}
