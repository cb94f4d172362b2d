import { Button, Group, NumberInput, Select, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { errorAt, type FieldErrors, fieldErrorsOf } from "../../component/field-errors.ts";
import { Refusal } from "../../component/refusal.tsx";
import { call, codeOf } from "../../session/api.ts";
import { useTexts } from "../../text/use-texts.tsx";
import { type NewSensor, useTelemetryChange } from "../queries.ts";
import { faultsOf, MAX_INPUTS, type SensorDraft, type SensorKind, toDraft, toErrors, toNewSensor } from "./draft.ts";
import { type KindFieldsProps, toOptions } from "./kind-fields.tsx";
import { CombinedFields, MeteringFields } from "./metering-fields.tsx";
import { VirtualFields } from "./virtual-fields.tsx";

type SensorFormProps = Pick<KindFieldsProps, "trackerId" | "values" | "sensor" | "sensors"> & { onClose(): void };

const INPUT_IS_TAKEN = 232;
const TOO_MANY = 270;

/** Makes or changes a sensor. Below its formula stands what it makes of the value that the device has just sent. */
export function SensorForm({ trackerId, values, sensor, sensors, onClose }: SensorFormProps) {
  const { telemetry: words, sensor: texts } = useTexts();
  const [draft, setDraft] = useState(() => toDraft(sensor));
  const [isChecked, setChecked] = useState(false);
  const change = (changes: Partial<SensorDraft>) => setDraft({ ...draft, ...changes });
  const save = useTelemetryChange(trackerId, (made: NewSensor) =>
    sensor
      ? call("/tracker/sensor/update", { tracker_id: trackerId, sensor: { ...made, id: sensor.id } })
      : call("/tracker/sensor/create", { tracker_id: trackerId, sensor: made }),
  );
  const faults = faultsOf(draft);
  const code = codeOf(save.error);
  const errors: FieldErrors = {
    ...fieldErrorsOf(save.error, "sensor"),
    ...(code === INPUT_IS_TAKEN ? { input_name: texts.inputIsTaken, input_number: texts.inputIsTaken } : {}),
    ...(code === TOO_MANY ? { sensor_type: texts.tooMany } : {}),
    ...(isChecked ? toErrors(faults, texts.faults) : {}),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (Object.keys(faults).length > 0) return save.reset();
    save.mutate(toNewSensor(draft, sensor), { onSuccess: onClose });
  };
  const fields = { trackerId, values, sensor, sensors, draft, errors, onChange: change };
  const isShown = save.error && code !== INPUT_IS_TAKEN && code !== TOO_MANY;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <KindSelect {...{ draft, sensor, sensors }} onChange={change} />
        <TextInput
          label={words.sensorName}
          value={draft.name}
          error={errorAt(errors, "name")}
          required
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        {draft.kind === "metering" && <MeteringFields {...fields} />}
        {draft.kind === "combined" && <CombinedFields {...fields} />}
        {draft.kind === "discrete" && <DiscreteFields {...fields} />}
        {draft.kind === "virtual" && <VirtualFields {...fields} />}
        {isShown && <Refusal error={save.error} />}
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

type KindSelectProps = Pick<KindFieldsProps, "draft" | "sensor" | "sensors" | "onChange">;

/** The kind of a new sensor; that of a stored one cannot change. */
function KindSelect({ draft, sensor, sensors, onChange }: KindSelectProps) {
  const { telemetry: words, sensor: texts } = useTexts();
  if (sensor) return null;
  const kinds: [SensorKind, string][] = [
    ["metering", words.metering],
    ["discrete", words.discrete],
    ["virtual", texts.virtual],
  ];
  if (sensors.some(({ type }) => type === "metering")) kinds.push(["combined", texts.combined]);
  return (
    <Select
      label={words.sensorKind}
      description={texts.kindHints[draft.kind]}
      inputWrapperOrder={["label", "input", "description"]}
      data={kinds.map(([value, label]) => ({ value, label }))}
      value={draft.kind}
      allowDeselect={false}
      onChange={(kind) => onChange({ kind: kind as SensorKind })} // the options are the kinds
    />
  );
}

function DiscreteFields({ draft, errors, onChange }: KindFieldsProps) {
  const { telemetry: words } = useTexts();
  return (
    <Group gap="xs" align="flex-start" grow>
      <Select
        label={words.meaning}
        data={toOptions(words.discreteTypes)}
        value={draft.discreteType}
        error={errorAt(errors, "sensor_type")}
        allowDeselect={false}
        onChange={(next) => onChange({ discreteType: next as SensorDraft["discreteType"] })} // the options are the types
      />
      <NumberInput
        label={words.inputNumber}
        value={draft.inputNumber}
        error={errorAt(errors, "input_number")}
        {...{ min: 1, max: MAX_INPUTS, allowDecimal: false, required: true }}
        onChange={(inputNumber) => onChange({ inputNumber })}
      />
    </Group>
  );
}
