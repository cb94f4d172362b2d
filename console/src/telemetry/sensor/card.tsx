import { ActionIcon, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconChartLine, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AskDialog } from "../../component/ask-dialog.tsx";
import { Panel } from "../../component/facts.tsx";
import { noticeFailure } from "../../component/notice.ts";
import { Refusal } from "../../component/refusal.tsx";
import { call } from "../../session/api.ts";
import type { Texts } from "../../text/texts.ts";
import { useTexts } from "../../text/use-texts.tsx";
import type { LastValues } from "../last-values.ts";
import { type Sensor, sensorsQuery, useTelemetryChange } from "../queries.ts";
import styles from "../telemetry.module.css";
import { CurveEditor } from "./curve-editor.tsx";
import { COMBINED, type MeteringSensor } from "./draft.ts";
import { SensorForm } from "./form.tsx";

type SensorCardProps = { trackerId: number; values: LastValues | undefined; mayChange: boolean };
/** An editor that the card shows in place of the list. */
type Open = { is: "new" } | { is: "form"; sensor: Sensor } | { is: "curve"; sensor: MeteringSensor };

/** The sensors of a tracker: what its inputs mean. */
export function SensorCard({ trackerId, values, mayChange }: SensorCardProps) {
  const { telemetry: words, sensor: texts, frame } = useTexts();
  const { data, error } = useQuery(sensorsQuery(trackerId));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const newButton = mayChange && !open && (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={() => setOpen({ is: "new" })}
    >
      {words.newSensor}
    </Button>
  );
  const title = open?.is === "curve" ? texts.curveTitle(open.sensor.name) : words.sensors;
  return (
    <div className={open?.is === "curve" ? styles.wide : undefined}>
      <Panel title={title} actions={newButton}>
        {error && !data ? (
          <Refusal error={error} />
        ) : !data ? (
          <Loader size="sm" aria-label={frame.loading} />
        ) : open?.is === "curve" ? (
          <CurveEditor {...{ trackerId, values, sensor: open.sensor }} onClose={close} />
        ) : open ? (
          <SensorForm
            {...{ trackerId, values, sensors: data, sensor: open.is === "form" ? open.sensor : undefined }}
            onClose={close}
          />
        ) : data.length === 0 ? (
          <Text size="sm">{words.noSensors}</Text>
        ) : (
          <Stack gap={0} component="ul" className={styles.sensors}>
            {data.map((sensor) => (
              <SensorRow key={sensor.id} {...{ trackerId, sensor, sensors: data, mayChange }} onOpen={setOpen} />
            ))}
          </Stack>
        )}
      </Panel>
    </div>
  );
}

type SensorRowProps = {
  trackerId: number;
  sensor: Sensor;
  sensors: Sensor[];
  mayChange: boolean;
  onOpen(open: Open): void;
};

function SensorRow({ trackerId, sensor, sensors, mayChange, onOpen }: SensorRowProps) {
  const texts = useTexts();
  const { telemetry: words, sensor: sensorTexts } = texts;
  return (
    <li className={styles.sensor}>
      <div className={styles.sensorName}>
        <Text size="sm" fw={600}>
          <bdi>{sensor.name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {sourceOf(sensor, sensors, texts)}
        </Text>
      </div>
      {mayChange && (
        <Group gap={4} wrap="nowrap">
          {sensor.type === "metering" && sensor.input_name !== COMBINED && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={sensorTexts.changeCurve(sensor.name)}
              title={sensorTexts.curve}
              onClick={() => onOpen({ is: "curve", sensor })}
            >
              <IconChartLine size={16} aria-hidden />
            </ActionIcon>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.changeSensor(sensor.name)}
            onClick={() => onOpen({ is: "form", sensor })}
          >
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
          <DeleteButton trackerId={trackerId} sensor={sensor} />
        </Group>
      )}
    </li>
  );
}

function DeleteButton({ trackerId, sensor: { id, name } }: { trackerId: number; sensor: Sensor }) {
  const texts = useTexts();
  const { telemetry: words } = texts;
  const remove = useTelemetryChange(trackerId, () =>
    call("/tracker/sensor/delete", { tracker_id: trackerId, sensor_id: id }),
  );
  const [isAsking, setAsking] = useState(false);
  function confirm() {
    setAsking(false);
    remove.mutate(undefined, { onError: (thrown) => noticeFailure(thrown, texts) });
  }
  return (
    <>
      <ActionIcon variant="subtle" color="gray" aria-label={words.deleteSensor(name)} onClick={() => setAsking(true)}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
      {isAsking && (
        <AskDialog
          title={words.deleteSensorTitle(name)}
          {...{ text: words.deleteSensorText, action: words.delete, cancel: words.cancel }}
          isBusy={remove.isPending}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** Where the value of a sensor comes from, in one line. */
function sourceOf(sensor: Sensor, sensors: Sensor[], { telemetry: words, sensor: texts }: Texts): string {
  if (sensor.type === "discrete") return words.input(sensor.input_number);
  const { input_name } = sensor;
  if (sensor.type === "virtual") return `${input_name} · ${texts.methods[sensor.parameters.calc_method]}`;
  const { divider, units, group_type, parameters } = sensor;
  if (input_name === COMBINED) {
    const parts = sensors.filter(({ id }) => parameters.parent_ids?.includes(id)).map(({ name }) => name);
    return [texts.groupTypes[group_type ?? "sum"], parts.join(", "), units].filter(Boolean).join(" · ");
  }
  return [divider === 1 ? input_name : `${input_name} ÷ ${divider}`, units].filter(Boolean).join(" · ");
}
