import { Alert, Button, Table, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Refusal } from "../component/refusal.tsx";
import styles from "../map/drawing/editor.module.css";
import type { LngLat, Shape } from "../map/drawing/shape.ts";
import { toLngLat } from "../map/drawing/wrap.ts";
import { serverNow } from "../session/clock.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { type Tracker, trackersQuery } from "../tracker/queries.ts";
import { findVisits } from "./queries.ts";
import { summarize } from "./visit-summary.ts";
import { toOutline } from "./zone-shape.ts";

/** Asks who was inside the drawn shape; the answer stays until it is asked again. */
export function useVisits(shape: Shape) {
  const { data: trackers } = useQuery(trackersQuery);
  const [done, setDone] = useState(0);
  const ids = useMemo(() => (trackers ?? []).filter(({ source }) => !source.blocked).map(({ id }) => id), [trackers]);
  const search = useMutation({
    async mutationFn(asked: Shape) {
      const now = serverNow();
      setDone(0);
      const zone = toOutline(asked, undefined);
      return { asked, now, ...(await findVisits({ zone, trackers: ids, now, onProgress: setDone })) };
    },
  });
  const positions = useMemo(
    (): LngLat[] => (search.data?.visits ?? []).map(({ location }) => toLngLat(location)),
    [search.data],
  );
  return { search, positions, shape, done, trackers };
}

type VisitsProps = Omit<ReturnType<typeof useVisits>, "positions"> & { isDisabled: boolean };

/** Lists the trackers that were inside during the last 30 days: the effect of a zone before it is saved. */
export function Visits({ search, shape, done, trackers, isDisabled }: VisitsProps) {
  const { visits: words } = useTexts().zone;
  const format = useFormat();
  const { data, error, isPending } = search;
  return (
    <section className={styles.part} aria-label={words.title}>
      <h2 className={styles.partTitle}>{words.title}</h2>
      <Text size="sm" c="dimmed" mb="xs">
        {words.text}
      </Text>
      <Button
        variant="default"
        leftSection={<IconHistory size={16} aria-hidden />}
        disabled={isDisabled || !trackers}
        loading={isPending}
        onClick={() => search.mutate(shape)}
      >
        {words.action}
      </Button>
      <div role="status">
        {isPending && trackers && (
          <Text size="sm" mt="xs">
            {words.busy(format.integer(done), format.integer(trackers.length))}
          </Text>
        )}
        {data && data.asked !== shape && (
          <Alert color="orange" variant="light" p="xs" mt="xs">
            {words.changed}
          </Alert>
        )}
        {data?.visits.length === 0 && (
          <Text size="sm" mt="xs">
            {words.nobody}
          </Text>
        )}
      </div>
      {error && <Refusal error={error} onRetry={() => search.mutate(shape)} />}
      {data && data.visits.length > 0 && <VisitTable {...data} trackers={trackers ?? []} />}
    </section>
  );
}

type VisitTableProps = Awaited<ReturnType<typeof findVisits>> & { now: number; trackers: Tracker[] };

function VisitTable({ visits, isExceeded, now, trackers }: VisitTableProps) {
  const { visits: words } = useTexts().zone;
  const format = useFormat();
  const rows = useMemo(() => summarize(visits, trackers, now), [visits, trackers, now]);
  return (
    <>
      <Table verticalSpacing={4} horizontalSpacing={6} mt="xs" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.tracker}</Table.Th>
            <Table.Th ta="end">{words.count}</Table.Th>
            <Table.Th ta="end">{words.time}</Table.Th>
            <Table.Th>{words.last}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ id, label, count, seconds, last, isInside }) => (
            <Table.Tr key={id}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                <bdi>{label}</bdi>
              </Table.Td>
              <Table.Td ta="end">{format.integer(count)}</Table.Td>
              <Table.Td ta="end" style={{ whiteSpace: "nowrap" }}>
                {format.duration(seconds)}
              </Table.Td>
              <Table.Td title={format.dateTime(last)}>{isInside ? words.still : format.ago(last, now)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {isExceeded && (
        <Text size="sm" c="dimmed">
          {words.exceeded}
        </Text>
      )}
    </>
  );
}
