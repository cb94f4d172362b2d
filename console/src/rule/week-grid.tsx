import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from "react";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./rule.module.css";
import { HOURS, WEEK_HOURS } from "./schedule.ts";

const DAYS = [0, 1, 2, 3, 4, 5, 6];
const ALL_HOURS = Array.from({ length: HOURS }, (_, hour) => hour);
/** A Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: HOURS, ArrowUp: -HOURS };

type WeekGridProps = { hours: ReadonlySet<number>; onChange(hours: ReadonlySet<number>): void };

/** The hours of a week: a press or the space bar switches one, drawing over several switches all of them. */
export function WeekGrid({ hours, onChange }: WeekGridProps) {
  const { rule: words } = useTexts();
  const { locale } = useFormat();
  const grid = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState(8);
  /** Whether the pointer that draws switches hours on or off. */
  const drawing = useRef<boolean>(undefined);
  const longNames = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  const shortNames = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const endDrawing = () => {
    drawing.current = undefined;
  };
  return (
    <div className={styles.gridScroller} onPointerUp={endDrawing} onPointerLeave={endDrawing}>
      <table ref={grid} aria-label={words.schedule} className={styles.grid}>
        <thead>
          <tr>
            <td className={styles.gridDay} />
            {ALL_HOURS.map((hour) => (
              <th key={hour} scope="col" className={styles.gridHour}>
                {hour % 3 === 0 ? hour : ""}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DAYS.map((day) => (
            <tr key={day}>
              <th scope="row" className={styles.gridDay}>
                {shortNames.format(MONDAY_MS + day * DAY_MS)}
              </th>
              {ALL_HOURS.map((hour) => {
                const place = day * HOURS + hour;
                return (
                  <td key={hour}>
                    <button
                      type="button"
                      data-place={place}
                      tabIndex={place === focused ? 0 : -1}
                      aria-pressed={hours.has(place)}
                      aria-label={words.cell(longNames.format(MONDAY_MS + day * DAY_MS), `${hour}:00`)}
                      className={styles.hour}
                      onFocus={() => setFocused(place)}
                      onKeyDown={move}
                      {...drawOver(place)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );

  /** A mouse or a pen draws; a finger scrolls, and switches by its press, as the keyboard does. */
  function drawOver(place: number) {
    return {
      onPointerDown: ({ pointerType }: PointerEvent) => {
        if (pointerType === "touch") return;
        drawing.current = !hours.has(place);
        set(place, drawing.current);
      },
      onPointerEnter: () => {
        if (drawing.current !== undefined) set(place, drawing.current);
      },
      onClick: ({ nativeEvent }: MouseEvent) => {
        const isDrawn =
          nativeEvent instanceof window.PointerEvent && ["mouse", "pen"].includes(nativeEvent.pointerType);
        if (!isDrawn) set(place, !hours.has(place));
      },
    };
  }

  function set(place: number, isOn: boolean) {
    if (hours.has(place) === isOn) return;
    const next = new Set(hours);
    if (isOn) next.add(place);
    else next.delete(place);
    onChange(next);
  }

  function move(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (focused + step + WEEK_HOURS) % WEEK_HOURS;
    setFocused(next);
    grid.current?.querySelector<HTMLElement>(`[data-place="${next}"]`)?.focus();
  }
}
