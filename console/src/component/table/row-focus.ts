import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";

type RowFocus = {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  scrollTo(index: number): void;
  /** Finds what takes the focus inside a row. */
  target: string;
};

/**
 * Arrow keys, Home and End go from one row of a virtual list to another. A row is in the document only after the list has
 * scrolled to it, and keys may come faster than that: the wanted row is remembered until it is there.
 */
export function useRowFocus({ scroller, count, scrollTo, target }: RowFocus) {
  const wanted = useRef<number>(undefined);
  useLayoutEffect(focusWanted);
  return { onKeyDown, onFocus: () => (wanted.current = undefined) };

  function onKeyDown(event: KeyboardEvent) {
    const row = document.activeElement?.closest<HTMLElement>("[data-index]");
    if (!row || !scroller.current?.contains(row)) return;
    const next = indexAfter(event.key, wanted.current ?? Number(row.dataset.index), count);
    if (next === undefined) return;
    event.preventDefault();
    wanted.current = Math.min(Math.max(next, 0), count - 1);
    scrollTo(wanted.current);
    focusWanted();
  }

  function focusWanted() {
    if (wanted.current === undefined) return;
    scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] ${target}`)?.focus();
  }
}

function indexAfter(key: string, index: number, count: number): number | undefined {
  if (key === "ArrowDown") return index + 1;
  if (key === "ArrowUp") return index - 1;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
}
