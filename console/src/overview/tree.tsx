import { IconChevronRight } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useVirtualList } from "../component/table/virtual-list.ts";
import { useTick } from "../component/use-tick.ts";
import { momentOf } from "../format/calendar.ts";
import type { LiveStates } from "../live/live-states.ts";
import { type LiveObject, statusIn, type TreeRow } from "../live/objects.ts";
import { useVersion } from "../live/use-live.ts";
import { serverNow } from "../session/clock.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./overview.module.css";
import { StatusIcon } from "./status-icon.tsx";

type TreeProps = {
  label: string;
  rows: TreeRow[];
  states: LiveStates;
  selected: LiveObject | undefined;
  onSelect(id: number): void;
  onToggle(key: string, isOpen: boolean): void;
};

const BRANCH_PX = 36;
const OBJECT_PX = 52;

/** The visible rows of the tree. Arrow keys go through it, open and close branches; Enter chooses an object. */
export function Tree({ label, rows, states, selected, onSelect, onToggle }: TreeProps) {
  const { list } = useTexts();
  useVersion(states);
  useTick();
  const [focused, setFocused] = useState("");
  const { scroller, virtualizer, focus } = useVirtualList({
    rows,
    heightOf: ({ kind }) => (kind === "branch" ? BRANCH_PX : OBJECT_PX),
    keyOf: ({ key }) => key,
    target: "",
  });
  const place = rows.findIndex((row) => row.kind === "object" && row.object.id === selected?.id);
  useEffect(() => {
    // An object that was chosen on the map is shown in the list.
    if (selected && place >= 0) virtualizer.scrollToIndex(place, { align: "auto" });
    // A row that moves because of others must not pull the list along.
  }, [selected]);
  if (rows.length === 0) return <p className={styles.none}>{list.noMatch.text}</p>;
  const entry = rows.some(({ key }) => key === focused) ? focused : rows[0]?.key;
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      className={styles.scroller}
      onKeyDown={(event) => {
        turnBranch(event);
        focus.onKeyDown(event);
      }}
      onFocus={focus.onFocus}
    >
      <div role="presentation" className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <Row
              key={row.key}
              {...{ index, start, size, row, states }}
              isSelected={row.kind === "object" && row.object.id === selected?.id}
              isEntry={row.key === entry}
              onFocus={() => setFocused(row.key)}
              onPress={() => press(row)}
            />
          );
        })}
      </div>
    </div>
  );

  function press(row: TreeRow) {
    if (row.kind === "branch") onToggle(row.key, !row.isOpen);
    else onSelect(row.object.id);
  }

  function turnBranch({ key }: KeyboardEvent) {
    const index = document.activeElement?.closest<HTMLElement>("[data-index]")?.dataset.index;
    const row = rows[Number(index)];
    if (row?.kind === "branch" && (key === "ArrowRight" || key === "ArrowLeft"))
      onToggle(row.key, key === "ArrowRight");
  }
}

type RowProps = {
  row: TreeRow;
  states: LiveStates;
  index: number;
  start: number;
  size: number;
  isSelected: boolean;
  /** Whether the Tab key leads to this row. */
  isEntry: boolean;
  onFocus(): void;
  onPress(): void;
};

function Row({ row, states, index, start, size, isSelected, isEntry, onFocus, onPress }: RowProps) {
  const isBranch = row.kind === "branch";
  return (
    <div
      role="treeitem"
      data-index={index}
      aria-level={isBranch ? 1 : row.level}
      aria-expanded={isBranch ? row.isOpen : undefined}
      aria-selected={isSelected}
      tabIndex={isEntry ? 0 : -1}
      className={styles.row}
      data-kind={row.kind}
      style={{ transform: `translateY(${start}px)`, height: size }}
      onFocus={onFocus}
      onClick={onPress}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onPress();
      }}
    >
      {isBranch ? <BranchRow row={row} /> : <ObjectRow object={row.object} states={states} />}
    </div>
  );
}

function BranchRow({ row }: { row: Extract<TreeRow, { kind: "branch" }> }) {
  const format = useFormat();
  return (
    <>
      <IconChevronRight size={16} className={styles.chevron} data-open={row.isOpen || undefined} aria-hidden />
      <span className={styles.name}>{row.branch.label}</span>
      <span className={styles.size}>{format.integer(row.size)}</span>
    </>
  );
}

function ObjectRow({ object, states }: { object: LiveObject; states: LiveStates }) {
  const { map: words } = useTexts();
  const format = useFormat();
  const state = states.get(object.sourceId);
  const status = statusIn(states, object);
  const heard = state?.last_update && momentOf(state.last_update, format.timeZone);
  return (
    <>
      <StatusIcon status={status} heading={state?.gps.heading ?? 0} />
      <span className={styles.name}>
        <bdi>{object.label}</bdi>
        <span className={styles.secondary}>
          {words.status[status]}
          {heard && ` · ${format.ago(heard, serverNow())}`}
        </span>
      </span>
      {status === "moving" && state && <span className={styles.speed}>{format.speed(state.gps.speed)}</span>}
    </>
  );
}
