import { type ReactNode, useEffect, useMemo } from "react";
import { useVirtualList } from "../component/table/virtual-list.ts";
import { startOfDay } from "../format/calendar.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./event.module.css";
import { type HistoryEvent, toRows } from "./rows.ts";

type EventListProps = {
  events: HistoryEvent[];
  chosenId: number | undefined;
  onChoose(id: number): void;
  /** Stands below the last row. */
  footer?: ReactNode;
};

const DAY_PX = 36;
const EVENT_PX = 58;

/** The visible events, by days. Arrow keys go from one to the next; Enter opens one. */
export function EventList({ events, chosenId, onChoose, footer }: EventListProps) {
  const { event: words } = useTexts();
  const { timeZone } = useFormat();
  const rows = useMemo(() => toRows(events, timeZone), [events, timeZone]);
  const { scroller, virtualizer, focus } = useVirtualList({
    rows,
    heightOf: ({ kind }) => (kind === "day" ? DAY_PX : EVENT_PX),
    keyOf: ({ key }) => key,
    target: "[data-focus]",
  });
  const place = rows.findIndex(({ key }) => key === `${chosenId}`);
  useEffect(() => {
    // An event that was chosen on the map is shown in the list.
    if (place >= 0) virtualizer.scrollToIndex(place, { align: "auto" });
    // Events that arrive above must not pull the list along.
  }, [chosenId]);
  return (
    <div ref={scroller} className={styles.scroller} {...focus}>
      <ul aria-label={words.title} className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={row.key}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              data-index={index}
              className={styles.item}
              style={{ transform: `translateY(${start}px)`, height: size }}
            >
              {row.kind === "day" ? (
                <Day day={row.day} count={row.count} />
              ) : (
                <Event event={row.event} isChosen={row.event.id === chosenId} onChoose={onChoose} />
              )}
            </li>
          );
        })}
      </ul>
      {footer}
    </div>
  );
}

function Day({ day, count }: { day: string; count: number }) {
  const format = useFormat();
  return (
    <h2 className={styles.day} data-focus tabIndex={-1}>
      {format.date(startOfDay(day, format.timeZone))}
      <span className={styles.count}>{format.integer(count)}</span>
    </h2>
  );
}

type EventProps = { event: HistoryEvent; isChosen: boolean; onChoose(id: number): void };

function Event({ event: { id, event, message, time, is_read, extra }, isChosen, onChoose }: EventProps) {
  const { event: words, eventNames } = useTexts();
  const format = useFormat();
  const name = eventNames[event];
  return (
    <button
      type="button"
      data-focus
      className={styles.event}
      data-chosen={isChosen || undefined}
      data-unread={!is_read || undefined}
      data-emergency={extra.emergency || undefined}
      aria-current={isChosen || undefined}
      onClick={() => onChoose(id)}
    >
      <span className={styles.mark} aria-hidden />
      <span className={styles.texts}>
        <span className={styles.line}>
          <bdi className={styles.tracker}>{extra.tracker_label}</bdi>
          <time dateTime={time} className={styles.time}>
            {format.time(time)}
          </time>
        </span>
        <span className={styles.message}>
          {!is_read && <span className={styles.hidden}>{words.unread}: </span>}
          {extra.emergency && <strong className={styles.emergency}>{words.emergency} · </strong>}
          {message && message !== name ? `${name} · ${message}` : name}
        </span>
      </span>
    </button>
  );
}
