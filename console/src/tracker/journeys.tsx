import { Button, Group, Loader, ScrollArea, Table, Text } from "@mantine/core";
import { IconMap2, IconRoute } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "../component/empty-state.tsx";
import { Panel } from "../component/facts.tsx";
import { PeriodPicker, usePeriod } from "../component/period-picker.tsx";
import { Refusal } from "../component/refusal.tsx";
import { linkSearch } from "../component/search-params.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { journeysQuery } from "./queries.ts";

/** The journeys of a tracker in a period, which stands in the address of the page. */
export function Journeys({ trackerId }: { trackerId: number }) {
  const { tracker: words, frame } = useTexts();
  const format = useFormat();
  const [period, setPeriod] = usePeriod();
  const { data, error, refetch } = useQuery(journeysQuery(trackerId, period, format.timeZone));
  const { noJourneys, journeyColumns: labels } = words.details;
  const journeys = (data ?? []).filter((track) => "end_address" in track);
  return (
    <Panel
      title={words.details.journeys}
      actions={
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconMap2 size={16} aria-hidden />}
            component={Link}
            to="/journeys"
            search={linkSearch({ trackers: String(trackerId), ...period })}
          >
            {words.details.journeysOnMap}
          </Button>
          <PeriodPicker value={period} onChange={setPeriod} />
        </Group>
      }
    >
      {error && !data ? (
        <Refusal error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loader aria-label={frame.loading} />
      ) : journeys.length === 0 ? (
        <EmptyState icon={IconRoute} title={noJourneys.title} text={noJourneys.text} />
      ) : (
        <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: "group", "aria-label": words.details.journeys }}>
          <Table miw={560} verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{labels.start}</Table.Th>
                <Table.Th>{labels.end}</Table.Th>
                <Table.Th ta="end">{labels.duration}</Table.Th>
                <Table.Th ta="end">{labels.length}</Table.Th>
                <Table.Th ta="end">{labels.maxSpeed}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {journeys.map((track) => (
                <Table.Tr key={track.start_date}>
                  <Table.Td>
                    <Moment time={track.start_date} address={track.start_address} />
                  </Table.Td>
                  <Table.Td>
                    <Moment time={track.end_date} address={track.end_address} />
                  </Table.Td>
                  <Table.Td ta="end">{format.duration(secondsBetween(track.start_date, track.end_date))}</Table.Td>
                  <Table.Td ta="end">{format.distance(track.length)}</Table.Td>
                  <Table.Td ta="end">{format.speed(track.max_speed)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea>
      )}
    </Panel>
  );
}

function Moment({ time, address }: { time: string; address: string }) {
  const format = useFormat();
  return (
    <>
      {format.dateTime(time)}
      <Text size="xs" c="dimmed">
        {address}
      </Text>
    </>
  );
}

function secondsBetween(from: string, to: string) {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}
