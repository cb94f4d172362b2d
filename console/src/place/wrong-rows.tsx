import { Button, Group, ScrollArea, Table, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Panel } from "../component/facts.tsx";
import { Refusal } from "../component/refusal.tsx";
import inputs from "../map/drawing/editor.module.css";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { checkAgain } from "./run-import.ts";
import { type Cells, CORRECTED, cellsOf, type SheetRow } from "./sheet.ts";

/** The most rows that are shown at a time: corrected rows make room for the next. */
const MAX_ROWS = 100;

type WrongRowsProps = { rows: SheetRow[]; radius: number; onChecked(rows: SheetRow[]): void };

/** The rows with errors, each beside its cells, which may be corrected here. */
export function WrongRows({ rows, radius, onChecked }: WrongRowsProps) {
  const { upload: words } = useTexts().place;
  const format = useFormat();
  const [changes, setChanges] = useState<ReadonlyMap<number, Cells>>(new Map());
  const check = useMutation({
    mutationFn: () =>
      checkAgain(
        rows.flatMap((row) => {
          const cells = changes.get(row.row);
          return cells ? { ...row, cells } : [];
        }),
        radius,
      ),
    onSuccess(checked) {
      setChanges(new Map());
      onChecked(checked);
    },
  });
  if (rows.length === 0) return null;
  return (
    <Panel title={words.errorsTitle}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          {words.errorsHint}
        </Text>
        <Button size="xs" disabled={changes.size === 0} loading={check.isPending} onClick={() => check.mutate()}>
          {words.correct}
        </Button>
      </Group>
      {check.error && <Refusal error={check.error} />}
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: "group", "aria-label": words.errorsTitle }}>
        <Table fz="sm" verticalSpacing={4} miw={860}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.row}</Table.Th>
              <Table.Th miw={220}>{words.error}</Table.Th>
              {CORRECTED.map((name) => (
                <Table.Th key={name}>{words.meanings[name]}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, MAX_ROWS).map((row) => (
              <WrongRow
                key={row.row}
                row={row}
                cells={changes.get(row.row) ?? cellsOf(row.place)}
                onChange={(cells) => setChanges(new Map(changes).set(row.row, cells))}
              />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
      {rows.length > MAX_ROWS && <Text size="sm">… {format.integer(rows.length - MAX_ROWS)}</Text>}
    </Panel>
  );
}

function WrongRow({ row, cells, onChange }: { row: SheetRow; cells: Cells; onChange(cells: Cells): void }) {
  const { upload: words } = useTexts().place;
  const number = String(row.row);
  const errors = row.place.errors ?? [];
  return (
    <Table.Tr>
      <Table.Td>{number}</Table.Td>
      <Table.Td>
        {errors.map(({ parameter, error }) => (
          <Text key={parameter} size="sm" c="var(--mantine-color-error)">
            {words.errorOf[parameter] ?? `${parameter}: ${error}`}
          </Text>
        ))}
      </Table.Td>
      {CORRECTED.map((name) => (
        <Table.Td key={name}>
          <input
            className={inputs.input}
            aria-label={words.cellOf(words.meanings[name], number)}
            value={cells[name]}
            onChange={(event) => onChange({ ...cells, [name]: event.currentTarget.value })}
          />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
