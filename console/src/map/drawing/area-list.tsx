import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import { type Column, type Filter, selectRows } from "../../component/table/columns.ts";
import { DataTable } from "../../component/table/data-table.tsx";
import type { RowLink } from "../../component/table/rows.tsx";
import { useSearchParams } from "../../component/use-search-params.ts";
import { useFormat } from "../../session/user.tsx";
import styles from "./area-list.module.css";
import type { Area } from "./features.ts";
import { AreaMap } from "./lazy-area-map.tsx";

type AreaListProps<Row> = {
  label: string;
  mapLabel: string;
  rows: Row[];
  columns: Column<Row>[];
  filters: Filter<Row>[];
  areaOf(row: Row): Area;
  linkOf(row: Row): RowLink;
};

/** A list and a map of the same areas: the search and the filters of the list apply to both. */
export function AreaList<Row extends { id: number }>(props: AreaListProps<Row>) {
  const { label, mapLabel, rows, columns, filters, areaOf, linkOf } = props;
  const { locale } = useFormat();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const deferred = useDeferredValue(search);
  const areas = useMemo(
    () => selectRows({ rows, columns, filters, search: deferred }, locale).map(areaOf),
    [rows, columns, filters, deferred, locale, areaOf],
  );
  const open = (id: number) => {
    const row = rows.find((one) => one.id === id);
    if (row) void navigate(linkOf(row));
  };
  return (
    <div className={styles.page}>
      <div className={styles.list}>
        <DataTable {...{ label, rows, columns, filters, linkOf }} keyOf={({ id }) => id} />
      </div>
      <section className={styles.map} aria-label={mapLabel}>
        <AreaMap label={mapLabel} areas={areas} onPick={open} />
      </section>
    </div>
  );
}
