import type { Cell, Row, RowGroup } from "./sheet.ts";
import type { Writer } from "./writer.ts";

/** The rows by the days on which they begin, each with its header and what it comes to. */
export function byDay<Item extends { start_time: number }>(
  items: Item[],
  writer: Writer,
  write: { row(item: Item): Row; total?(items: Item[]): Record<string, Cell> },
): RowGroup[] {
  const days = Map.groupBy(items, ({ start_time }) => writer.dayOf(start_time));
  return [...days.values()].map((ofDay) => ({
    header: writer.dayHeader(ofDay[0]?.start_time ?? 0, ofDay.length),
    rows: ofDay.map(write.row),
    ...(write.total && { total: { text: writer.words("In total:", "Insgesamt:"), ...write.total(ofDay) } }),
  }));
}
