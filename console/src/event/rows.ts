import type { Schemas } from "../../../clients/typescript/src/index.ts";
import { dayOf } from "../format/calendar.ts";

export type HistoryEvent = Schemas["HistoryEntry"];
export type EventName = HistoryEvent["event"];

/** A row of the list: a day, or an event of the day above it. */
export type EventRow =
  | { kind: "day"; key: string; day: string; count: number }
  | { kind: "event"; key: string; event: HistoryEvent };

/** Groups events, newest first, by the days of a time zone. */
export function toRows(events: HistoryEvent[], timeZone: string): EventRow[] {
  const rows: EventRow[] = [];
  let last: Extract<EventRow, { kind: "day" }> | undefined;
  for (const event of events) {
    const day = dayOf(Date.parse(event.time), timeZone);
    if (last?.day !== day) {
      last = { kind: "day", key: day, day, count: 0 };
      rows.push(last);
    }
    last.count++;
    rows.push({ kind: "event", key: `${event.id}`, event });
  }
  return rows;
}

/** The events that contain all words of the text in their message, kind, tracker, zones or address. */
export function searchEvents(events: HistoryEvent[], text: string, nameOf: (event: EventName) => string) {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return events;
  return events.filter(({ message, event, address, extra }) => {
    const { tracker_label, zone_labels = [], full_message } = extra;
    const texts = [full_message ?? message, nameOf(event), address, tracker_label, ...zone_labels];
    const searched = texts.join("\n").toLocaleLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
