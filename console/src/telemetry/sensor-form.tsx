import {
  Autocomplete,
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { type FormEvent, useState } from "react";
import { errorAt, fieldErrorsOf } from "../component/field-errors.ts";
import { Refusal } from "../component/refusal.tsx";
import { call } from "../session/api.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import type { LastValues } from "./last-values.ts";
import { type NewSensor, type Sensor, useTelemetryChange } from "./queries.ts";

type SensorFormProps = {
  trackerId: number;
  values: LastValues | undefined;
  /** Undefined: a new one. */
  sensor: Sensor | undefined;
  onClose(): void;
};
type SensorDraft = {
  type: "metering" | "discrete";
  name: string;
  meteringType: Extract<NewSensor, { type: "metering" }>["sensor_type"];
  discreteType: Extract<NewSensor, { type: "discrete" }>["sensor_type"];
  inputName: string;
  inputNumber: number;
  divider: number;
  units: string;
};

const MAX_INPUTS = 8;

/** Makes or changes a sensor. Beside its formula stands what it makes of the value that the device has just sent. */
export function SensorForm({ trackerId, values, sensor, onClose }: SensorFormProps) {
  const { telemetry: words } = useTexts();
  const [draft, setDraft] = useState(() => toDraft(sensor));
  const change = (changes: Partial<SensorDraft>) => setDraft({ ...draft, ...changes });
  const save = useTelemetryChange(trackerId, (made: NewSensor) =>
    sensor
      ? call("/tracker/sensor/update", { tracker_id: trackerId, sensor: { ...made, id: sensor.id } })
      : call("/tracker/sensor/create", { tracker_id: trackerId, sensor: made }),
  );
  const errors = fieldErrorsOf(save.error, "sensor");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(toNewSensor(draft, sensor), { onSuccess: onClose });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {!sensor && (
          <SegmentedControl
            aria-label={words.sensorKind}
            value={draft.type}
            onChange={(type) => change({ type: type as SensorDraft["type"] })} // the values are those of `data`
            data={[
              { value: "metering", label: words.metering },
              { value: "discrete", label: words.discrete },
            ]}
          />
        )}
        <TextInput
          label={words.sensorName}
          value={draft.name}
          error={errorAt(errors, "name")}
          required
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        {draft.type === "metering" ? (
          <MeteringFields {...{ draft, values, errors }} onChange={change} />
        ) : (
          <Group gap="xs" align="flex-start" grow>
            <Select
              label={words.meaning}
              data={toOptions(words.discreteTypes)}
              value={draft.discreteType}
              allowDeselect={false}
              onChange={(next) => change({ discreteType: next as SensorDraft["discreteType"] })} // the options are the types
            />
            <NumberInput
              label={words.inputNumber}
              value={draft.inputNumber}
              error={errorAt(errors, "input_number")}
              {...{ min: 1, max: MAX_INPUTS, allowDecimal: false }}
              onChange={(next) => change({ inputNumber: Number(next) })}
            />
          </Group>
        )}
        {save.error && <Refusal error={save.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type MeteringFieldsProps = {
  draft: SensorDraft;
  values: LastValues | undefined;
  errors: Record<string, string>;
  onChange(changes: Partial<SensorDraft>): void;
};

function MeteringFields({ draft, values, errors, onChange }: MeteringFieldsProps) {
  const { telemetry: words } = useTexts();
  return (
    <>
      <Select
        label={words.meaning}
        data={toOptions(words.meteringTypes)}
        value={draft.meteringType}
        allowDeselect={false}
        onChange={(next) => onChange({ meteringType: next as SensorDraft["meteringType"] })} // the options are the types
      />
      <Autocomplete
        label={words.inputName}
        description={words.inputNameHint}
        data={Object.keys(values?.nonnull_fields ?? {}).toSorted()}
        value={draft.inputName}
        error={errorAt(errors, "input_name")}
        required
        onChange={(inputName) => onChange({ inputName })}
      />
      <Group gap="xs" align="flex-start" grow>
        <NumberInput
          label={words.divider}
          value={draft.divider}
          error={errorAt(errors, "divider")}
          onChange={(next) => onChange({ divider: Number(next) })}
        />
        <TextInput
          label={words.units}
          value={draft.units}
          error={errorAt(errors, "units")}
          onChange={(event) => onChange({ units: event.currentTarget.value })}
        />
      </Group>
      <Preview draft={draft} values={values} />
    </>
  );
}

/** The formula with the last value of the device; a curve of the sensor comes after it. */
function Preview({ draft: { inputName, divider, units }, values }: Pick<MeteringFieldsProps, "draft" | "values">) {
  const { telemetry: words } = useTexts();
  const format = useFormat();
  if (!inputName) return null;
  const raw = Number(values?.nonnull_fields[inputName]?.[0]?.value ?? Number.NaN);
  const result = raw / divider;
  return (
    <Text size="sm" role="status">
      {Number.isFinite(result)
        ? words.preview(
            `${format.number(raw, 3)} ÷ ${format.number(divider, 3)} = ${format.number(result, 3)} ${units}`,
          )
        : words.noPreview}
    </Text>
  );
}

function toDraft(sensor: Sensor | undefined): SensorDraft {
  const draft: SensorDraft = {
    ...{ type: "metering", name: "", meteringType: "custom", discreteType: "ignition", inputName: "" },
    ...{ inputNumber: 1, divider: 1, units: "" },
  };
  if (sensor?.type === "discrete") {
    const { type, name, sensor_type, input_number } = sensor;
    return { ...draft, type, name, discreteType: sensor_type, inputNumber: input_number };
  }
  if (sensor?.type !== "metering") return draft;
  const { type, name, sensor_type, input_name, divider, units } = sensor;
  return { ...draft, type, name, meteringType: sensor_type, inputName: input_name, divider, units };
}

/** The sensor as the API takes it; members that the form does not have stay as they are. */
function toNewSensor(draft: SensorDraft, sensor: Sensor | undefined): NewSensor {
  const { type, name, meteringType, discreteType, inputName, inputNumber, divider, units } = draft;
  if (type === "discrete") return { type, name, sensor_type: discreteType, input_number: inputNumber };
  const kept = sensor?.type === "metering" ? sensor : {};
  return { ...kept, type, name, sensor_type: meteringType, input_name: inputName, divider, units };
}

function toOptions(names: Record<string, string>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}
