import { Box, Button, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconFilterOff } from "@tabler/icons-react";
import { type ReactNode, useDeferredValue, useMemo } from "react";
import { useFormat } from "../../session/user.tsx";
import { useTexts } from "../../text/use-texts.tsx";
import { EmptyState } from "../empty-state.tsx";
import { useSearchParams } from "../use-search-params.ts";
import { type Column, chooseColumns, type Filter, selectRows, sortingIn, toSortParam } from "./columns.ts";
import { HeaderRow } from "./header-row.tsx";
import { type RowLink, VirtualRows } from "./rows.tsx";
import styles from "./table.module.css";
import { TableToolbar } from "./toolbar.tsx";

type DataTableProps<Row> = {
  label: string;
  rows: Row[];
  columns: Column<Row>[];
  filters?: Filter<Row>[];
  keyOf(row: Row): string | number;
  /** Where a row leads to. */
  linkOf?(row: Row): RowLink;
  /** Stands below the last row. */
  footer?: ReactNode;
};

/**
 * A list of any length with search, filters, sorting and a choice of columns, which stand in the address of the page. Only
 * the visible rows are in the document. On a narrow screen a row is a block of lines.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, filters = [], keyOf, linkOf, footer } = props;
  const { list } = useTexts();
  const format = useFormat();
  const [search, change] = useSearchParams();
  const isNarrow = useMediaQuery("(max-width: 48em)", window.innerWidth < 768) ?? false;
  const deferred = useDeferredValue(search);
  const selected = useMemo(
    () => selectRows({ rows, columns, filters, search: deferred }, format.locale),
    [rows, columns, filters, deferred, format.locale],
  );
  const shown = useMemo(() => chooseColumns(columns, search), [columns, search]);
  const sorting = sortingIn(columns, search);
  const grid = shown.map(({ width = "minmax(7rem, 1fr)" }) => width).join(" ");
  const clear = () =>
    change(Object.fromEntries(["q", ...filters.map(({ id }) => id)].map((name) => [name, undefined])));
  return (
    <Box className={styles.frame}>
      <TableToolbar columns={columns} filters={filters} shown={shown} isNarrow={isNarrow} />
      <Text size="sm" c="dimmed" mb={6} role="status">
        {list.count(format.integer(selected.length), format.integer(rows.length))}
      </Text>
      {selected.length === 0 ? (
        <EmptyState
          icon={IconFilterOff}
          title={list.noMatch.title}
          text={list.noMatch.text}
          action={
            <Button variant="default" onClick={clear}>
              {list.noMatch.action}
            </Button>
          }
        />
      ) : (
        <VirtualRows
          {...{ label, rows: selected, columns: shown, keyOf, isNarrow, grid }}
          {...(linkOf ? { linkOf } : {})}
          header={
            <HeaderRow
              {...{ columns: shown, sorting, grid, isNarrow }}
              onSort={(next) => change({ sort: toSortParam(next) })}
            />
          }
        />
      )}
      {footer}
    </Box>
  );
}
