import { Button, Group, Loader, NumberInput, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Facts, Panel } from "../component/facts.tsx";
import { noticeSuccess } from "../component/notice.ts";
import { Refusal } from "../component/refusal.tsx";
import { call } from "../session/api.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { COUNTER_TYPES, type CounterType, countersQuery, useTelemetryChange } from "./queries.ts";

/** The counters of a tracker, whose values can be set to those of the vehicle. */
export function CounterCard({ trackerId, mayChange }: { trackerId: number; mayChange: boolean }) {
  const { telemetry: words, frame } = useTexts();
  const format = useFormat();
  const { data, error } = useQuery(countersQuery(trackerId));
  return (
    <Panel title={words.counters}>
      {error && !data ? (
        <Refusal error={error} />
      ) : !data ? (
        <Loader size="sm" aria-label={frame.loading} />
      ) : (
        <Stack gap="sm">
          {data.length === 0 ? (
            <Text size="sm">{words.noCounters}</Text>
          ) : (
            <Facts
              entries={data.map(({ type, value }) => [
                words.counterNames[type],
                `${format.number(value, 1)} ${words.counterUnits[type]}`,
              ])}
            />
          )}
          {mayChange && <ValueForm trackerId={trackerId} />}
        </Stack>
      )}
    </Panel>
  );
}

function ValueForm({ trackerId }: { trackerId: number }) {
  const texts = useTexts();
  const { telemetry: words } = texts;
  const [type, setType] = useState<CounterType>("odometer");
  const [value, setValue] = useState<number | string>("");
  const set = useTelemetryChange(trackerId, (next: number) =>
    call("/tracker/counter/value/set", { tracker_id: trackerId, type, value: next }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typeof value !== "number") return;
    set.mutate(value, {
      onSuccess: () => {
        setValue("");
        noticeSuccess(words.counterSet, texts);
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <Select
          label={words.counter}
          data={COUNTER_TYPES.map((one) => ({ value: one, label: words.counterNames[one] }))}
          value={type}
          allowDeselect={false}
          onChange={(next) => setType(next as CounterType)} // the options are the types
          flex="1 1 9rem"
        />
        <NumberInput
          label={words.newValue(words.counterUnits[type])}
          value={value}
          onChange={setValue}
          required
          flex="1 1 9rem"
        />
        <Button type="submit" variant="default" loading={set.isPending}>
          {words.set}
        </Button>
      </Group>
      {set.error && <Refusal error={set.error} />}
    </form>
  );
}
