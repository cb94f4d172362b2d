import { Alert, Button, Group, NativeSelect, NumberInput, ScrollArea, Stack, Table, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Refusal } from "../component/refusal.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { checkRows } from "./run-import.ts";
import { type CheckedSheet, guessMeanings, MEANINGS, type Meaning, missingIn, withMeaning } from "./sheet.ts";

const DEFAULT_RADIUS_M = 100;
const MAX_RADIUS_M = 300_000;

type ColumnChoiceProps = {
  file: File;
  file_id: string;
  header?: string[] | undefined;
  preview: string[][];
  /** The number of the first row of the preview in the file. */
  firstRow: number;
  onChecked(sheet: CheckedSheet): void;
  onReset(): void;
};

/** The first rows of a spreadsheet; above each column its meaning. */
export function ColumnChoice(props: ColumnChoiceProps) {
  const { file, file_id, header, preview, firstRow, onChecked, onReset } = props;
  const { upload: words } = useTexts().place;
  const columns = Math.max(header?.length ?? 0, ...preview.map(({ length }) => length));
  const [meanings, setMeanings] = useState(() => guessMeanings(header, columns));
  const [radius, setRadius] = useState(DEFAULT_RADIUS_M);
  const missing = missingIn(meanings);
  const check = useMutation({
    mutationFn: () => checkRows({ file_id }, meanings, radius),
    onSuccess: ({ places, isCut }) =>
      onChecked({ rows: places.map((place, index) => ({ row: index + firstRow, place })), isCut, radius }),
  });
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <NumberInput
          label={words.radius}
          suffix=" m"
          {...{ min: 1, max: MAX_RADIUS_M, allowDecimal: false, value: radius, maw: 260 }}
          onChange={(value) => setRadius(Math.min(MAX_RADIUS_M, Math.max(1, Number(value))))}
        />
        <Group gap="xs">
          <Button variant="default" onClick={onReset}>
            {words.another}
          </Button>
          <Button disabled={missing !== undefined} loading={check.isPending} onClick={() => check.mutate()}>
            {words.check}
          </Button>
        </Group>
      </Group>
      {missing && (
        <Alert color="orange" variant="light" p="xs">
          {words[missing]}
        </Alert>
      )}
      {check.error && <Refusal error={check.error} />}
      <Text size="sm" fw={600}>
        {file.name}: {words.example}
      </Text>
      <ColumnTable
        {...{ header, preview, meanings }}
        onChoose={(column, meaning) => setMeanings(withMeaning(meanings, column, meaning))}
      />
    </Stack>
  );
}

type ColumnTableProps = {
  header: string[] | undefined;
  preview: string[][];
  meanings: Meaning[];
  onChoose(column: number, meaning: Meaning): void;
};

function ColumnTable({ header, preview, meanings, onChoose }: ColumnTableProps) {
  const { upload: words } = useTexts().place;
  const data = MEANINGS.map((value) => ({ value, label: words.meanings[value] }));
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: "group", "aria-label": words.example }}>
      <Table withTableBorder fz="sm" miw={meanings.length * 170}>
        <Table.Thead>
          <Table.Tr>
            {meanings.map((meaning, column) => {
              const name = header?.[column] || String(column + 1);
              return (
                <Table.Th key={column}>
                  <Text size="sm" fw={600} mb={4}>
                    {name}
                  </Text>
                  <NativeSelect
                    size="xs"
                    aria-label={words.columnOf(name)}
                    data={data}
                    value={meaning}
                    onChange={(event) => {
                      const chosen = MEANINGS.find((one) => one === event.currentTarget.value);
                      if (chosen) onChoose(column, chosen);
                    }}
                  />
                </Table.Th>
              );
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {preview.map((cells, row) => (
            <Table.Tr key={row}>
              {meanings.map((meaning, column) => (
                <Table.Td key={column} c={meaning === "undefined" ? "dimmed" : ""}>
                  {cells[column] ?? ""}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
