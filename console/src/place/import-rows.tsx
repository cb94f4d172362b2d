import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { LeaveGuard } from "../component/leave-guard.tsx";
import { noticeSuccess } from "../component/notice.ts";
import { Refusal } from "../component/refusal.tsx";
import styles from "../map/drawing/area-list.module.css";
import { AreaMap } from "../map/drawing/lazy-area-map.tsx";
import { useFormat } from "../session/user.tsx";
import { type Tag, tagsQuery } from "../tag/queries.ts";
import { useTexts } from "../text/use-texts.tsx";
import { PLACE_KEY, toArea } from "./queries.ts";
import { createPlaces } from "./run-import.ts";
import { type CheckedSheet, isValid, type SheetRow } from "./sheet.ts";
import { WrongRows } from "./wrong-rows.tsx";

type ImportRowsProps = CheckedSheet & { tags: Tag[]; onReset(): void; onBack(): void };

/** The rows that were read: the valid ones on a map, the others with their errors, to be corrected. */
export function ImportRows({ rows: first, isCut, radius, tags, onReset, onBack }: ImportRowsProps) {
  const { upload: words } = useTexts().place;
  const format = useFormat();
  const [rows, setRows] = useState(first);
  const valid = useMemo(() => rows.filter(isValid), [rows]);
  const wrong = rows.filter((row) => !isValid(row));
  const store = useStorePlaces(tags);
  const count = format.integer(valid.length);
  const newTags = [...new Set(valid.flatMap(({ place }) => place.tag_names ?? []))];
  return (
    <Stack>
      <LeaveGuard isChanged={() => store.isRunning.current} />
      <Group justify="space-between">
        <Text fw={600} role="status">
          {words.valid(count)}
          {wrong.length > 0 && ` · ${words.wrong(format.integer(wrong.length))}`}
        </Text>
        <Group gap="xs">
          <Button variant="default" disabled={store.isPending} onClick={onReset}>
            {words.another}
          </Button>
          <Button variant="default" disabled={store.isPending} onClick={onBack}>
            {words.back}
          </Button>
          <Button disabled={valid.length === 0} loading={store.isPending} onClick={() => store.mutate(valid)}>
            {words.confirm(count)}
          </Button>
        </Group>
      </Group>
      {isCut && <Hint text={words.limit} />}
      {newTags.length > 0 && <Hint text={words.unknownTags(newTags.join(", "))} />}
      <Outcome {...store} total={valid.length} />
      <WrongRows rows={wrong} radius={radius} onChecked={replaceRows} />
      <PlacesMap rows={valid} />
    </Stack>
  );

  function replaceRows(checked: SheetRow[]) {
    const byNumber = new Map(checked.map((row) => [row.row, row]));
    setRows(rows.map((row) => byNumber.get(row.row) ?? row));
  }
}

function Hint({ text }: { text: string }) {
  return (
    <Alert color="blue" variant="light" p="xs" icon={<IconInfoCircle aria-hidden />}>
      {text}
    </Alert>
  );
}

function PlacesMap({ rows }: { rows: SheetRow[] }) {
  const { upload: words } = useTexts().place;
  const areas = useMemo(
    () =>
      rows.map(({ row, place: { label, location } }) => {
        const { lat, lng, radius } = location;
        return toArea({
          id: row,
          label,
          location: { lat: Number(lat), lng: Number(lng), radius: Number(radius), address: "" },
        });
      }),
    [rows],
  );
  return (
    <section className={styles.map} style={{ height: "22rem" }} aria-label={words.mapLabel}>
      <AreaMap label={words.mapLabel} areas={areas} />
    </section>
  );
}

function Outcome({ error, data, done, isPending, total }: ReturnType<typeof useStorePlaces> & { total: number }) {
  const { upload: words } = useTexts().place;
  const format = useFormat();
  if (!isPending && !error && !data?.length) return null;
  return (
    <div role="status">
      {isPending && (
        <>
          <Text size="sm">{words.busy(format.integer(done), format.integer(total))}</Text>
          <Progress value={(100 * done) / Math.max(total, 1)} aria-label={words.busy(String(done), String(total))} />
        </>
      )}
      {error && <Refusal error={error} />}
      {data && data.length > 0 && (
        <Alert color="red" variant="light" title={words.failed(format.integer(data.length))}>
          {data.map(({ row, label, code }) => (
            <Text key={row} size="sm">
              {words.row} {row}: {label} {code ? `(${code})` : ""}
            </Text>
          ))}
        </Alert>
      )}
    </div>
  );
}

/** Stores the places and leads to the list, unless some were refused. */
function useStorePlaces(tags: Tag[]) {
  const texts = useTexts();
  const format = useFormat();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [done, setDone] = useState(0);
  const isRunning = useRef(false);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn(rows: SheetRow[]) {
      isRunning.current = true;
      return createPlaces(rows, tags, setDone);
    },
    onError: () => (isRunning.current = false),
    async onSuccess(failed, rows) {
      noticeSuccess(texts.place.upload.done(format.integer(rows.length - failed.length)), texts);
      void queries.invalidateQueries({ queryKey: PLACE_KEY });
      void queries.invalidateQueries({ queryKey: tagsQuery.queryKey });
      isRunning.current = false;
      if (failed.length === 0) await navigate({ to: "/places" });
    },
  });
  return { mutate, data, error, isPending, done, isRunning };
}
