import { ActionIcon } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { type ClipboardEvent, type KeyboardEvent, memo } from "react";
import cellField from "../../component/cell-field.module.css";
import { useTexts } from "../../text/use-texts.tsx";
import styles from "./curve.module.css";
import { type Column, type CurveRow, isTable, type RowFault } from "./curve.ts";

type CurveTableProps = {
  rows: CurveRow[];
  faults: Map<number, RowFault>;
  onChange(row: number, column: Column, text: string): void;
  onRemove(row: number): void;
  /** Cells of a spreadsheet were pasted into a cell. */
  onPaste(text: string, at: { row: number; column: Column }): void;
};

/** The rows of a curve. Arrow keys and Enter go to the same column of the next row; the last row is empty. */
export function CurveTable({ rows, faults, onChange, onRemove, onPaste }: CurveTableProps) {
  const { sensor: words } = useTexts();
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text");
    const { target } = event;
    if (!(target instanceof HTMLInputElement) || !isTable(text)) return;
    event.preventDefault();
    onPaste(text, { row: rowOf(target), column: target.dataset.column === "out" ? "out" : "in" });
  };
  return (
    <div className={styles.scroller}>
      <table className={styles.table} aria-label={words.curveRows} onKeyDown={goToRow} onPaste={paste}>
        <thead>
          <tr>
            <th scope="col" aria-label={words.row} />
            <th scope="col">{words.curveIn}</th>
            <th scope="col">{words.curveOut}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <TableRow
              key={index}
              {...{ row, index, onChange, onRemove }}
              fault={faults.get(index)}
              isLast={index === rows.length - 1}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type TableRowProps = Pick<CurveTableProps, "onChange" | "onRemove"> & {
  row: CurveRow;
  index: number;
  fault: RowFault | undefined;
  isLast: boolean;
};

const TableRow = memo(function TableRow({ row, index, fault, isLast, onChange, onRemove }: TableRowProps) {
  const { sensor: words } = useTexts();
  const number = String(index + 1);
  const faultId = `curve-fault-${index}`;
  const cell = (column: Column, label: string) => (
    <td>
      <input
        className={cellField.field}
        inputMode="decimal"
        aria-label={label}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? faultId : undefined}
        data-column={column}
        value={row[column]}
        onChange={(event) => onChange(index, column, event.currentTarget.value)}
      />
    </td>
  );
  return (
    <>
      <tr data-row={index}>
        <td className={styles.number}>{number}</td>
        {cell("in", words.inOf(number))}
        {cell("out", words.outOf(number))}
        <td className={styles.action}>
          {!isLast && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={words.removeRow(number)}
              onClick={() => onRemove(index)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </td>
      </tr>
      {fault && (
        <tr>
          <td />
          <td colSpan={3} id={faultId} className={styles.fault}>
            {fault.kind === "twice" ? words.faults.twice(String(fault.firstRow)) : words.faults[fault.kind]}
          </td>
        </tr>
      )}
    </>
  );
});

function goToRow(event: KeyboardEvent<HTMLTableElement>) {
  const { key, target, currentTarget } = event;
  const step = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[key];
  if (step === undefined || !(target instanceof HTMLInputElement)) return;
  event.preventDefault(); // Enter does not save the form
  const selector = `[data-row="${rowOf(target) + step}"] [data-column="${target.dataset.column}"]`;
  currentTarget.querySelector<HTMLInputElement>(selector)?.select();
}

function rowOf(target: HTMLInputElement): number {
  return Number(target.closest<HTMLElement>("[data-row]")?.dataset.row);
}
