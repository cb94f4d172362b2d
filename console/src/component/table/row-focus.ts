import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";

type RowFocus = {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  scrollTo(index: number): void;
  /** Finds what takes the focus inside a row. */
  target: string;
  /** Whether a row takes the focus; keys go over the others. */
  takesFocus(index: number): boolean;
};

/**
 * Arrow keys, Home and End go from one row of a virtual list to another. A row is in the document only after the list has
 * scrolled to it, and keys may come faster than that: the wanted row is remembered until it is there.
 */
export function useRowFocus({ scroller, count, scrollTo, target, takesFocus }: RowFocus) {
  const wanted = useRef<number>(undefined);
  useLayoutEffect(focusWanted);
  return { onKeyDown, onFocus: () => (wanted.current = undefined) };

  function onKeyDown(event: KeyboardEvent) {
    const row = document.activeElement?.closest<HTMLElement>("[data-index]");
    if (!row || !scroller.current?.contains(row)) return;
    const index = wanted.current ?? Number(row.dataset.index);
    const candidates = indexesAfter(event.key, index, count);
    if (!candidates) return;
    event.preventDefault();
    wanted.current = candidates.find(takesFocus) ?? index;
    scrollTo(wanted.current);
    focusWanted();
  }

  function focusWanted() {
    if (wanted.current === undefined) return;
    scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] ${target}`)?.focus();
  }
}

/** The rows to which a key may go, the best one first; undefined for other keys. */
function indexesAfter(key: string, index: number, count: number): number[] | undefined {
  const all = Array.from({ length: count }, (_, row) => row);
  if (key === "ArrowDown") return all.slice(index + 1);
  if (key === "ArrowUp") return all.slice(0, index).reverse();
  if (key === "Home") return all;
  if (key === "End") return all.reverse();
  return undefined;
}
