import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { type KeyboardEvent, memo, useEffect, useState } from "react";
import cellField from "../../component/cell-field.module.css";
import { useTexts } from "../../text/use-texts.tsx";
import type { DrawingAction } from "./drawing.ts";
import styles from "./editor.module.css";
import { type LngLat, MAX_VERTICES, nearTo, type Shape, type VertexRef } from "./shape.ts";

type VertexTableProps = {
  shape: Shape;
  selected: VertexRef | undefined;
  isReadOnly: boolean;
  dispatch(action: DrawingAction): void;
  /** The position in the middle of the map. */
  centerOfMap(): LngLat | undefined;
};

/** All vertices as numbers, which keys alone can change: not every user can draw on a map. */
export function VertexTable(props: VertexTableProps) {
  const { vertices: words } = useTexts().drawing;
  const { shape, isReadOnly, dispatch } = props;
  const title = { circle: words.center, polygon: words.title, sausage: words.line }[shape.type];
  return (
    <section className={styles.part} aria-label={title}>
      <h2 className={styles.partTitle}>{title}</h2>
      {shape.rings.map((ring, number) => (
        <div key={number}>
          {shape.rings.length > 1 && (
            <Group justify="space-between" mt="xs">
              <Text size="sm" fw={600}>
                {nameOf(number)}
              </Text>
              {number > 0 && !isReadOnly && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="red"
                  onClick={() => dispatch({ type: "removeHole", ring: number })}
                >
                  {words.removeHole(nameOf(number))}
                </Button>
              )}
            </Group>
          )}
          <RingTable {...props} ring={ring} number={number} label={`${title}: ${nameOf(number)}`} />
        </div>
      ))}
      {!isReadOnly && (
        <Text size="xs" c="dimmed" mt={6}>
          {words.hint}
        </Text>
      )}
    </section>
  );

  function nameOf(number: number) {
    return number === 0 ? words.outline : words.hole(String(number));
  }
}

type RingTableProps = VertexTableProps & { ring: LngLat[]; number: number; label: string };

function RingTable({ shape, ring, number, label, selected, isReadOnly, dispatch, centerOfMap }: RingTableProps) {
  const { vertices: words } = useTexts().drawing;
  const isFull = ring.length >= MAX_VERTICES[shape.type];
  return (
    <>
      {ring.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.empty}
        </Text>
      ) : (
        <div className={styles.scroller}>
          <table className={styles.table} aria-label={label} onKeyDown={goToRow}>
            <thead>
              <tr>
                <th scope="col" aria-label={label} />
                <th scope="col">{words.lat}</th>
                <th scope="col">{words.lng}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {ring.map((position, index) => (
                <VertexRow
                  key={index}
                  {...{ position, number, index, isReadOnly, dispatch }}
                  isSelected={selected?.ring === number && selected.index === index}
                  mayRemove={shape.type !== "circle"}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!isReadOnly && !isFull && (
        <Button
          size="xs"
          variant="default"
          mt={6}
          title={words.addHint}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            const position = centerOfMap();
            if (position) dispatch({ type: "insert", at: { ring: number, index: ring.length }, position });
          }}
        >
          {{ circle: words.center, polygon: words.add, sausage: words.addPoint }[shape.type]}
        </Button>
      )}
    </>
  );
}

type VertexRowProps = {
  position: LngLat;
  number: number;
  index: number;
  isSelected: boolean;
  isReadOnly: boolean;
  mayRemove: boolean;
  dispatch(action: DrawingAction): void;
};

const VertexRow = memo(function VertexRow(props: VertexRowProps) {
  const { position, number, index, isSelected, isReadOnly, mayRemove, dispatch } = props;
  const { vertices: words } = useTexts().drawing;
  const [lng, lat] = position;
  const at = { ring: number, index };
  const name = String(index + 1);
  const edit = (next: LngLat) => dispatch({ type: "edit", at, position: next });
  return (
    <tr
      data-row={index}
      data-selected={isSelected || undefined}
      onFocus={() => isSelected || dispatch({ type: "select", at })}
    >
      <td className={styles.number}>{name}</td>
      <td>
        <DegreesInput
          {...{ column: "lat", label: words.latOf(name), value: lat, limit: 90, isReadOnly }}
          onChange={(degrees) => edit([lng, degrees])}
        />
      </td>
      <td>
        <DegreesInput
          {...{ column: "lng", label: words.lngOf(name), value: nearTo(position, [0, 0])[0], limit: 180, isReadOnly }}
          onChange={(degrees) => edit([degrees, lat])}
        />
      </td>
      <td>
        {mayRemove && !isReadOnly && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.removeOf(name)}
            onClick={() => dispatch({ type: "remove", at })}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </td>
    </tr>
  );
});

type DegreesInputProps = {
  column: string;
  label: string;
  value: number;
  limit: number;
  isReadOnly: boolean;
  onChange(degrees: number): void;
};

/** A number of degrees, with a point or a comma, which Enter or leaving the field applies. */
function DegreesInput({ column, label, value, limit, isReadOnly, onChange }: DegreesInputProps) {
  const shown = value.toFixed(6);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const number = Number(text.replace(",", ".") || Number.NaN);
  const isValid = Math.abs(number) <= limit;
  const apply = () => {
    if (!isValid) return setText(shown);
    if (text !== shown) onChange(number);
  };
  return (
    <input
      className={cellField.field}
      inputMode="decimal"
      aria-label={label}
      aria-invalid={isValid ? undefined : true}
      data-column={column}
      value={text}
      readOnly={isReadOnly}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          event.preventDefault(); // it does not save the page
          apply();
        }
        if (event.key === "Escape") setText(shown);
      }}
    />
  );
}

/** Arrow keys go to the same column of the next row, as does Enter. */
function goToRow({ key, target, currentTarget }: KeyboardEvent<HTMLTableElement>) {
  const step = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[key];
  if (step === undefined || !(target instanceof HTMLInputElement)) return;
  const row = Number(target.closest<HTMLElement>("[data-row]")?.dataset.row) + step;
  currentTarget.querySelector<HTMLElement>(`[data-row="${row}"] [data-column="${target.dataset.column}"]`)?.focus();
}
