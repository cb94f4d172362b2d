import { UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useTexts } from "../../text/use-texts.tsx";
import type { Column, Sorting } from "./columns.ts";
import styles from "./table.module.css";

type HeaderRowProps<Row> = {
  columns: Column<Row>[];
  sorting: Sorting;
  grid: string;
  isNarrow: boolean;
  onSort(sorting: Sorting): void;
};

/** The names of the columns; a press sorts by one, a second press turns the order. Narrow screens sort in the toolbar. */
export function HeaderRow<Row>({ columns, sorting, grid, isNarrow, onSort }: HeaderRowProps<Row>) {
  const { list } = useTexts();
  return (
    <div role="rowgroup" className={isNarrow ? styles.hidden : styles.header}>
      <div role="row" tabIndex={-1} aria-rowindex={1} className={styles.row} style={{ gridTemplateColumns: grid }}>
        {columns.map(({ id, label, align }) => {
          const isSorted = sorting.column === id;
          const order = sorting.isDescending ? "descending" : "ascending";
          const Arrow = sorting.isDescending ? IconArrowDown : IconArrowUp;
          return (
            <div
              key={id}
              role="columnheader"
              tabIndex={-1}
              aria-sort={isSorted ? order : "none"}
              className={styles.cell}
              data-align={align}
            >
              <UnstyledButton
                className={styles.sort}
                onClick={() => onSort({ column: id, isDescending: isSorted && !sorting.isDescending })}
                title={list.sortBy(label)}
              >
                {label}
                {isSorted && <Arrow size={14} aria-hidden />}
              </UnstyledButton>
            </div>
          );
        })}
      </div>
    </div>
  );
}
