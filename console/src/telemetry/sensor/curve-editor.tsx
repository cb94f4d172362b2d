import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useCallback, useMemo, useState } from "react";
import { LeaveGuard } from "../../component/leave-guard.tsx";
import { Refusal } from "../../component/refusal.tsx";
import { call } from "../../session/api.ts";
import { useFormat } from "../../session/user.tsx";
import { useTexts } from "../../text/use-texts.tsx";
import type { LastValues } from "../last-values.ts";
import { curveQuery, useTelemetryChange } from "../queries.ts";
import styles from "./curve.module.css";
import { type CheckedCurve, type Column, checkRows, decimalOf, pasteCells, toRows, withEmptyRow } from "./curve.ts";
import { CurveGraph } from "./curve-graph.tsx";
import { CurveTable } from "./curve-table.tsx";
import type { MeteringSensor } from "./draft.ts";
import { type Bend, calibrate, numberOf } from "./formula.ts";

type CurveEditorProps = {
  trackerId: number;
  sensor: MeteringSensor;
  values: LastValues | undefined;
  onClose(): void;
};

/** Changes the calibration curve of a sensor: what each of its values means. */
export function CurveEditor(props: CurveEditorProps) {
  const { frame } = useTexts();
  // The editor begins with what is stored now, and keeps what is typed whatever is loaded later.
  const { data, error } = useQuery({ ...curveQuery(props.trackerId, props.sensor.id), gcTime: 0 });
  if (error && !data) return <Refusal error={error} />;
  if (!data) return <Loader size="sm" aria-label={frame.loading} />;
  return <CurveForm {...props} stored={data} />;
}

function CurveForm({ trackerId, sensor, values, stored, onClose }: CurveEditorProps & { stored: Bend[] }) {
  const { telemetry, sensor: words } = useTexts();
  const format = useFormat();
  const decimal = decimalOf(format.locale);
  const [first] = useState(() => withEmptyRow(toRows(stored, decimal)));
  const [rows, setRows] = useState(first);
  const curve = useMemo(() => checkRows(rows, decimal), [rows, decimal]);
  const save = useTelemetryChange(trackerId, (data: Bend[]) =>
    call("/tracker/sensor/calibration_data/update", { tracker_id: trackerId, sensor_id: sensor.id, data }),
  );
  const change = useCallback((at: number, column: Column, text: string) => {
    setRows((last) => withEmptyRow(last.map((row, index) => (index === at ? { ...row, [column]: text } : row))));
  }, []);
  const remove = useCallback((at: number) => setRows((last) => withEmptyRow(last.toSpliced(at, 1))), []);
  const paste = useCallback(
    (text: string, at: { row: number; column: Column }) => setRows((last) => pasteCells(last, text, at)),
    [],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (curve.bends) save.mutate(curve.bends, { onSuccess: onClose });
  };
  return (
    <form onSubmit={submit}>
      <LeaveGuard isChanged={() => !save.isSuccess && rows !== first} />
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.curveText}
        </Text>
        <div className={styles.columns}>
          <CurveTable {...{ rows, faults: curve.faults }} onChange={change} onRemove={remove} onPaste={paste} />
          <Effect {...{ sensor, values, curve }} />
        </div>
        {save.error && <Refusal error={save.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" me="auto" disabled={rows === first} onClick={() => setRows(first)}>
            {words.reset}
          </Button>
          <Button variant="default" onClick={onClose}>
            {telemetry.cancel}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!curve.bends}>
            {words.saveCurve}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type EffectProps = Pick<CurveEditorProps, "sensor" | "values"> & { curve: CheckedCurve };

/** The graph of the curve, and what it makes of the last value of the device. */
function Effect({ sensor, values, curve: { bends, faults } }: EffectProps) {
  const { telemetry, sensor: words } = useTexts();
  const format = useFormat();
  const raw = numberOf(values?.nonnull_fields[sensor.input_name]?.[0]?.value);
  const present = raw === null ? null : raw / sensor.divider;
  const show = (value: number) => format.number(value, 3);
  const shown = (bends ?? []).length > 0 ? bends : undefined;
  return (
    <Stack gap="xs">
      {!bends ? (
        <Alert variant="default" role="status">
          {words.faultyRows(format.integer(faults.size))}
        </Alert>
      ) : shown ? (
        <CurveGraph label={words.graph(format.integer(shown.length))} curve={shown} present={present} />
      ) : (
        <Text size="sm">{words.noCurve}</Text>
      )}
      {bends && (
        <Text size="sm" role="status">
          {raw === null || present === null
            ? telemetry.noPreview
            : telemetry.preview(
                [
                  sensor.divider === 1 ? show(raw) : `${show(raw)} ÷ ${show(sensor.divider)} = ${show(present)}`,
                  `${show(calibrate(present, bends))} ${sensor.units}`.trim(),
                ].join(" → "),
              )}
        </Text>
      )}
    </Stack>
  );
}
