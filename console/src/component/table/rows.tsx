import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { linkSearch } from "../search-params.ts";
import type { Column } from "./columns.ts";
import styles from "./table.module.css";
import { useVirtualList } from "./virtual-list.ts";

/** A page that a row leads to: the path of a route, with its parameters. `search` changes the state in the address. */
export type RowLink = { to: string; params?: Record<string, string>; search?: ReturnType<typeof linkSearch> };

type VirtualRowsProps<Row> = {
  label: string;
  rows: Row[];
  columns: Column<Row>[];
  keyOf(row: Row): string | number;
  linkOf?(row: Row): RowLink;
  isNarrow: boolean;
  grid: string;
  header: ReactNode;
};

const ROW_PX = 44;
const BLOCK_PX = 96;

/**
 * The rows that are visible, and a few around them. They have the roles of a table and not its elements, which could not be
 * positioned. Arrow keys go from one row's link to the next.
 */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>) {
  const { label, rows, columns, keyOf, isNarrow, header } = props;
  const { scroller, virtualizer, focus } = useVirtualList({
    rows,
    heightOf: () => (isNarrow ? BLOCK_PX : ROW_PX),
    keyOf,
    target: "a",
  });
  return (
    <div
      ref={scroller}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      className={styles.scroller}
      {...focus}
    >
      <div role="presentation" className={styles.inner}>
        {header}
        <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={virtualizer.measureElement}
              role="row"
              tabIndex={-1}
              data-index={index}
              aria-rowindex={index + 2}
              className={`${styles.row} ${styles.item}`}
              data-narrow={isNarrow || undefined}
              style={{ transform: `translateY(${start}px)`, gridTemplateColumns: isNarrow ? undefined : props.grid }}
            >
              <Cells {...props} row={rows[index] as Row} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** The first column leads to the row's page. On a narrow screen each further value has its name before it. */
function Cells<Row>({ row, columns, linkOf, isNarrow }: VirtualRowsProps<Row> & { row: Row }) {
  const link = linkOf?.(row);
  return columns.map((column, index) => {
    const value = column.value(row);
    const content = column.render ? column.render(row) : value;
    if (isNarrow && index > 0 && (value === null || value === undefined || value === "")) return null;
    return (
      <div
        key={column.id}
        role="cell"
        className={styles.cell}
        data-align={column.align}
        data-first={index === 0 || undefined}
      >
        {isNarrow && index > 0 && <span className={styles.name}>{column.label}</span>}
        {index === 0 && link ? (
          <Link {...link} className={styles.link}>
            {content}
          </Link>
        ) : (
          content
        )}
      </div>
    );
  });
}
