import { Button, Group, Menu, MultiSelect, Select } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useTexts } from "../../text/use-texts.tsx";
import { SearchField } from "../search-field.tsx";
import { useSearchParams } from "../use-search-params.ts";
import { type Column, type Filter, listIn, sortingIn, toSortParam } from "./columns.ts";

type ToolbarProps<Row> = { columns: Column<Row>[]; filters: Filter<Row>[]; shown: Column<Row>[]; isNarrow: boolean };

/** Search, filters and the choice of columns of a table; on a narrow screen its sorting, too. */
export function TableToolbar<Row>({ columns, filters, shown, isNarrow }: ToolbarProps<Row>) {
  const { list } = useTexts();
  const [search, change] = useSearchParams();
  return (
    <Group gap="xs" mb="xs" align="flex-end">
      <SearchField label={list.search} miw={220} flex="1 1 220px" maw={420} />
      {filters.map(({ id, label, options }) => (
        <MultiSelect
          key={id}
          aria-label={list.filters(label)}
          placeholder={search[id] ? "" : label}
          data={options}
          value={listIn(search[id])}
          onChange={(values) => change({ [id]: values.join(",") || undefined })}
          clearable
          w={isNarrow ? "calc(50% - 5px)" : 220}
        />
      ))}
      {isNarrow && <SortSelect columns={columns} />}
      <Menu closeOnItemClick={false} position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden />}>
            {list.columns}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {columns.map((column, index) => (
            <Menu.CheckboxItem
              key={column.id}
              disabled={index === 0}
              checked={shown.includes(column)}
              onChange={() => change({ columns: toggle(column).join(",") })}
            >
              {column.label}
            </Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );

  function toggle(column: Column<Row>): string[] {
    return columns.filter((one) => (one === column ? !shown.includes(one) : shown.includes(one))).map(({ id }) => id);
  }
}

function SortSelect<Row>({ columns }: { columns: Column<Row>[] }) {
  const { list } = useTexts();
  const [search, change] = useSearchParams();
  const sorting = sortingIn(columns, search);
  const data = columns.flatMap(({ id, label }) => [
    { value: toSortParam({ column: id, isDescending: false }), label: `${label}, ${list.ascending}` },
    { value: toSortParam({ column: id, isDescending: true }), label: `${label}, ${list.descending}` },
  ]);
  return (
    <Select
      aria-label={list.sorting}
      data={data}
      value={toSortParam(sorting)}
      onChange={(value) => value && change({ sort: value })}
      flex="1 1 180px"
    />
  );
}
