import { Alert, Button, Group, Loader, NumberInput, Stack, Table, Text } from "@mantine/core";
import { IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { BackLink } from "../component/back-link.tsx";
import { Panel } from "../component/facts.tsx";
import { FileDrop } from "../component/file-drop.tsx";
import { noticeSuccess } from "../component/notice.ts";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import styles from "../map/drawing/area-list.module.css";
import { AreaMap } from "../map/drawing/lazy-area-map.tsx";
import { codeOf } from "../session/api.ts";
import { sendForm } from "../session/send-form.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { toArea, ZONE_KEY, type ZoneUpload } from "./queries.ts";
import type { Zone } from "./zone-shape.ts";

const MAX_BYTES = 16 * 1024 * 1024;
const DEFAULT_RADIUS_M = 150;
const MIN_RADIUS_M = 20;
const MAX_RADIUS_M = 300_000;
/** More rows of skipped parts than these nobody reads. */
const MAX_ROWS = 200;
/** Codes of a file without any zone, and of one with too many parts or bytes. */
const [NO_ZONES, TOO_MANY_POINTS, TOO_MUCH, TOO_LARGE] = [234, 202, 9, 271];

class FileTooLarge extends Error {}

/** Reads zones from a file, shows them and what was skipped, and stores them when the user confirms. */
export function ZoneImportPage() {
  const { zone, frame } = useTexts();
  const { upload: words } = zone;
  const [radius, setRadius] = useState(DEFAULT_RADIUS_M);
  const preview = useMutation({
    async mutationFn(file: File) {
      if (file.size > MAX_BYTES) throw new FileTooLarge();
      return { file, ...(await sendForm<"/zone/upload">("/zone/upload", file, { default_radius: radius })) };
    },
  });
  return (
    <>
      <PageHeader title={words.title} subtitle={words.subtitle} above={<BackLink to="/zones" label={zone.all} />} />
      {preview.data ? (
        <Preview {...preview.data} radius={radius} onReset={preview.reset} />
      ) : (
        <Stack maw={720}>
          <NumberInput
            label={words.radius}
            suffix=" m"
            {...{ min: MIN_RADIUS_M, max: MAX_RADIUS_M, allowDecimal: false, value: radius, maw: 320 }}
            onChange={(value) => setRadius(Math.min(MAX_RADIUS_M, Math.max(MIN_RADIUS_M, Number(value))))}
          />
          {preview.isPending ? (
            <Group role="status">
              <Loader size="sm" aria-label={frame.loading} />
              <Text>{words.reading}</Text>
            </Group>
          ) : (
            <FileDrop
              title={words.drop}
              hint={words.dropHint}
              accept=".kml,.kmz,.geojson,.json"
              onFile={(file) => preview.mutate(file)}
            />
          )}
          <Failure error={preview.error} />
        </Stack>
      )}
    </>
  );
}

function Failure({ error }: { error: unknown }) {
  const { upload: words } = useTexts().zone;
  if (!error) return null;
  const code = codeOf(error);
  const text = {
    [NO_ZONES]: words.noZones,
    [TOO_MANY_POINTS]: words.tooManyPoints,
    [TOO_MUCH]: words.tooMuch,
    [TOO_LARGE]: words.tooLarge,
  }[error instanceof FileTooLarge ? TOO_LARGE : (code ?? 0)];
  if (!text) return <Refusal error={error} />;
  return (
    <Alert color="orange" variant="light" role="alert" icon={<IconInfoCircle aria-hidden />}>
      {text}
    </Alert>
  );
}

type PreviewProps = ZoneUpload & { file: File; radius: number; onReset(): void };

/** The zones of the file on a map, and what cannot become one. */
function Preview({ file, list, skipped, radius, onReset }: PreviewProps) {
  const texts = useTexts();
  const { upload: words } = texts.zone;
  const format = useFormat();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const areas = useMemo(() => list.filter(isReady).map((ready, index) => toArea({ ...ready, id: index })), [list]);
  const store = useMutation({
    mutationFn: () => sendForm<"/zone/upload">("/zone/upload", file, { default_radius: radius, dry_run: false }),
    async onSuccess({ list: ids }) {
      noticeSuccess(words.done(format.integer(ids.length)), texts);
      void queries.invalidateQueries({ queryKey: ZONE_KEY });
      await navigate({ to: "/zones" });
    },
  });
  const count = format.integer(list.length);
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={600} role="status">
          {file.name}: {words.ready(count)}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onReset}>
            {words.another}
          </Button>
          <Button loading={store.isPending} disabled={list.length === 0} onClick={() => store.mutate()}>
            {words.confirm(count)}
          </Button>
        </Group>
      </Group>
      {store.error && <Refusal error={store.error} />}
      <section className={styles.map} style={{ height: "24rem" }} aria-label={words.mapLabel}>
        <AreaMap label={words.mapLabel} areas={areas} />
      </section>
      <SkippedParts skipped={skipped} />
    </Stack>
  );
}

function SkippedParts({ skipped }: Pick<ZoneUpload, "skipped">) {
  const { upload: words } = useTexts().zone;
  const format = useFormat();
  if (skipped.length === 0)
    return (
      <Alert color="teal" variant="light" icon={<IconCircleCheck aria-hidden />}>
        {words.nothingSkipped}
      </Alert>
    );
  return (
    <Panel title={words.skipped(format.integer(skipped.length))}>
      <Text size="sm" c="dimmed" mb="xs">
        {words.skippedText}
      </Text>
      <Table fz="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.position}</Table.Th>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th>{words.reason}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {skipped.slice(0, MAX_ROWS).map(({ index, name, reason }) => (
            <Table.Tr key={index}>
              <Table.Td>{format.integer(index + 1)}</Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{name || words.noName}</Table.Td>
              <Table.Td>{words.reasons[reason] ?? reason}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {skipped.length > MAX_ROWS && <Text size="sm">… {format.integer(skipped.length - MAX_ROWS)}</Text>}
    </Panel>
  );
}

/** A dry run answers zones instead of ids. */
function isReady(entry: ZoneUpload["list"][number]): entry is Exclude<typeof entry, number> & Omit<Zone, "id"> {
  return typeof entry !== "number";
}
