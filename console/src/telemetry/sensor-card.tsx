import { ActionIcon, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Panel } from "../component/facts.tsx";
import { noticeFailure } from "../component/notice.ts";
import { Refusal } from "../component/refusal.tsx";
import { call } from "../session/api.ts";
import { useTexts } from "../text/use-texts.tsx";
import type { LastValues } from "./last-values.ts";
import { type Sensor, sensorsQuery, useTelemetryChange } from "./queries.ts";
import { SensorForm } from "./sensor-form.tsx";
import styles from "./telemetry.module.css";

type SensorCardProps = { trackerId: number; values: LastValues | undefined; mayChange: boolean };

/** The sensors of a tracker: what its inputs mean. */
export function SensorCard({ trackerId, values, mayChange }: SensorCardProps) {
  const { telemetry: words, frame } = useTexts();
  const { data, error } = useQuery(sensorsQuery(trackerId));
  const [edited, setEdited] = useState<Sensor | "new">();
  return (
    <Panel
      title={words.sensors}
      actions={
        mayChange &&
        !edited && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setEdited("new")}
          >
            {words.newSensor}
          </Button>
        )
      }
    >
      {error && !data ? (
        <Refusal error={error} />
      ) : !data ? (
        <Loader size="sm" aria-label={frame.loading} />
      ) : edited ? (
        <SensorForm
          {...{ trackerId, values, sensor: edited === "new" ? undefined : edited }}
          onClose={() => setEdited(undefined)}
        />
      ) : data.length === 0 ? (
        <Text size="sm">{words.noSensors}</Text>
      ) : (
        <Stack gap={0} component="ul" className={styles.sensors}>
          {data.map((sensor) => (
            <li key={sensor.id} className={styles.sensor}>
              <div className={styles.sensorName}>
                <Text size="sm" fw={600}>
                  <bdi>{sensor.name}</bdi>
                </Text>
                <Text size="xs" c="dimmed">
                  {sourceOf(sensor, words.input)}
                </Text>
              </div>
              {mayChange && (
                <Group gap={4} wrap="nowrap">
                  {sensor.type !== "virtual" && (
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={words.changeSensor(sensor.name)}
                      onClick={() => setEdited(sensor)}
                    >
                      <IconPencil size={16} aria-hidden />
                    </ActionIcon>
                  )}
                  <DeleteButton trackerId={trackerId} sensor={sensor} />
                </Group>
              )}
            </li>
          ))}
        </Stack>
      )}
    </Panel>
  );
}

function DeleteButton({ trackerId, sensor: { id, name } }: { trackerId: number; sensor: Sensor }) {
  const texts = useTexts();
  const { telemetry: words } = texts;
  const remove = useTelemetryChange(trackerId, () =>
    call("/tracker/sensor/delete", { tracker_id: trackerId, sensor_id: id }),
  );
  const ask = () =>
    modals.openConfirmModal({
      title: words.deleteSensorTitle(name),
      children: <Text size="sm">{words.deleteSensorText}</Text>,
      labels: { confirm: words.delete, cancel: words.cancel },
      confirmProps: { color: "red" },
      onConfirm: () => remove.mutate(undefined, { onError: (thrown) => noticeFailure(thrown, texts) }),
    });
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={words.deleteSensor(name)} onClick={ask}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}

function sourceOf(sensor: Sensor, input: (number: number) => string): string {
  if (sensor.type === "discrete") return input(sensor.input_number);
  if (sensor.type === "virtual") return sensor.input_name;
  const { input_name, divider, units } = sensor;
  return [divider === 1 ? input_name : `${input_name} ÷ ${divider}`, units].filter(Boolean).join(" · ");
}
