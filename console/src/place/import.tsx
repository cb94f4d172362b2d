import { Alert, Checkbox, Group, Loader, Stack, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { BackLink } from "../component/back-link.tsx";
import { FileDrop } from "../component/file-drop.tsx";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import { codeOf } from "../session/api.ts";
import { sendForm } from "../session/send-form.ts";
import { tagsQuery } from "../tag/queries.ts";
import { useTexts } from "../text/use-texts.tsx";
import { ColumnChoice } from "./import-columns.tsx";
import { ImportRows } from "./import-rows.tsx";
import type { CheckedSheet } from "./sheet.ts";

const PREVIEW_ROWS = 5;
/** Codes of a file that is no spreadsheet. */
const UNREADABLE = [233, 234];

/** Reads places from a spreadsheet: choose a file, say what its columns mean, correct rows, import. */
export function PlaceImportPage() {
  const { place } = useTexts();
  const { upload: words } = place;
  const [hasHeader, setHasHeader] = useState(true);
  const [checked, setChecked] = useState<CheckedSheet>();
  const tags = useQuery(tagsQuery);
  const sheet = useMutation({
    mutationFn: async (chosen: { file: File; hasHeader: boolean }) => ({
      ...chosen,
      ...(await sendForm<"/data/spreadsheet/parse">("/data/spreadsheet/parse", chosen.file, {
        preview_count: PREVIEW_ROWS,
        parse_header: chosen.hasHeader,
      })),
    }),
  });
  const reset = () => {
    setChecked(undefined);
    sheet.reset();
  };
  return (
    <>
      <PageHeader title={words.title} subtitle={words.subtitle} above={<BackLink to="/places" label={place.all} />} />
      {checked && tags.data ? (
        <ImportRows {...checked} tags={tags.data} onReset={reset} onBack={() => setChecked(undefined)} />
      ) : (
        <Stack>
          <Checkbox
            label={words.hasHeader}
            checked={hasHeader}
            onChange={(event) => {
              const next = event.currentTarget.checked;
              setHasHeader(next);
              if (sheet.data) sheet.mutate({ file: sheet.data.file, hasHeader: next });
            }}
          />
          {sheet.data ? (
            <ColumnChoice
              key={sheet.data.file_id}
              {...sheet.data}
              firstRow={sheet.data.hasHeader ? 2 : 1}
              onChecked={setChecked}
              onReset={reset}
            />
          ) : (
            <FileChoice isBusy={sheet.isPending} onFile={(file) => sheet.mutate({ file, hasHeader })} />
          )}
          <Failure error={sheet.error ?? tags.error} />
        </Stack>
      )}
    </>
  );
}

function FileChoice({ isBusy, onFile }: { isBusy: boolean; onFile(file: File): void }) {
  const { place, frame } = useTexts();
  const { upload: words } = place;
  if (isBusy)
    return (
      <Group role="status">
        <Loader size="sm" aria-label={frame.loading} />
        <Text>{words.reading}</Text>
      </Group>
    );
  return (
    <div style={{ maxWidth: 720 }}>
      <FileDrop title={words.drop} hint={words.dropHint} accept=".xlsx,.xls,.csv" onFile={onFile} />
    </div>
  );
}

function Failure({ error }: { error: unknown }) {
  const { upload: words } = useTexts().place;
  if (!error) return null;
  if (!UNREADABLE.includes(codeOf(error) ?? 0)) return <Refusal error={error} />;
  return (
    <Alert color="orange" variant="light" role="alert" icon={<IconInfoCircle aria-hidden />}>
      {words.unreadable}
    </Alert>
  );
}
