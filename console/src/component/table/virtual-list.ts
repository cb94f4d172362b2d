import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { useRowFocus } from "./row-focus.ts";

type VirtualListOptions<Row> = {
  rows: readonly Row[];
  heightOf(row: Row): number;
  keyOf(row: Row): string | number;
  /** Finds what takes the focus inside a row. */
  target: string;
  /** Whether a row takes the focus; without it, all of them do. */
  takesFocus?(row: Row): boolean;
};

/** A list of which only the visible rows are in the document, in the element of `scroller`. Arrow keys go from row to row. */
export function useVirtualList<Row>({ rows, heightOf, keyOf, target, takesFocus }: VirtualListOptions<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  // The virtualizer asks for indexes of rows only.
  const at = (index: number) => rows[index] as Row;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(at(index)),
    getItemKey: (index) => keyOf(at(index)),
    overscan: 8,
  });
  const focus = useRowFocus({
    ...{ scroller, count: rows.length, target },
    takesFocus: (index) => takesFocus?.(at(index)) ?? true,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
  });
  return { scroller, virtualizer, focus };
}
