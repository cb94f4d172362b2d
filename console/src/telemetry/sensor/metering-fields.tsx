import { Collapse, Group, MultiSelect, NumberInput, Select, TextInput, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { errorAt } from "../../component/field-errors.ts";
import { useFormat } from "../../session/user.tsx";
import { useTexts } from "../../text/use-texts.tsx";
import { curveQuery } from "../queries.ts";
import { AttributeField } from "./attribute-field.tsx";
import { COMBINED, type MeteringSensor, numberIn, type SensorDraft } from "./draft.ts";
import { type Bend, calibrate, isWithin, numberOf } from "./formula.ts";
import { type KindFieldsProps, NUMBERS, PreviewText, toOptions } from "./kind-fields.tsx";

const FURTHER_MEMBERS = ["accuracy", "units_type", "parameters.min", "parameters.max", "parameters.volume"];

/** The fields of a sensor that measures one attribute of the device. */
export function MeteringFields(props: KindFieldsProps) {
  const { draft, values, errors, onChange } = props;
  const { telemetry: words } = useTexts();
  return (
    <>
      <MeaningField {...props} />
      <AttributeField
        {...{ values, value: draft.inputName, error: errorAt(errors, "input_name") }}
        onChange={(inputName) => onChange({ inputName })}
      />
      <Group gap="xs" align="flex-start" grow>
        <NumberInput
          label={words.divider}
          value={draft.divider}
          error={errorAt(errors, "divider")}
          {...NUMBERS}
          onChange={(divider) => onChange({ divider })}
        />
        <UnitsField {...props} />
      </Group>
      <FurtherFields {...props} />
      <MeasuredPreview {...props} />
    </>
  );
}

/** The fields of a sensor whose value is the sum or the mean of others. */
export function CombinedFields(props: KindFieldsProps) {
  const { draft, sensor, errors, onChange } = props;
  const { sensor: texts } = useTexts();
  return (
    <>
      <MeaningField {...props} />
      <MultiSelect
        label={texts.parts}
        data={partsIn(props.sensors, sensor?.id).map(({ id, name }) => ({ value: `${id}`, label: name }))}
        value={draft.partIds}
        error={errorAt(errors, "parameters.parent_ids")}
        onChange={(partIds) => onChange({ partIds })}
        {...{ searchable: true, withAsterisk: true, maxValues: 16 }}
      />
      <Group gap="xs" align="flex-start" grow>
        <Select
          label={texts.groupType}
          data={toOptions(texts.groupTypes)}
          value={draft.groupType}
          allowDeselect={false}
          onChange={(next) => onChange({ groupType: next as SensorDraft["groupType"] })} // the options are the types
        />
        <UnitsField {...props} />
      </Group>
      <FurtherFields {...props} />
      <CombinedPreview {...props} />
    </>
  );
}

function MeaningField({ draft, errors, onChange }: KindFieldsProps) {
  const { telemetry: words } = useTexts();
  return (
    <Select
      label={words.meaning}
      data={toOptions(words.meteringTypes)}
      value={draft.meteringType}
      error={errorAt(errors, "sensor_type")}
      allowDeselect={false}
      onChange={(next) => onChange({ meteringType: next as SensorDraft["meteringType"] })} // the options are the types
    />
  );
}

function UnitsField({ draft, errors, onChange }: KindFieldsProps) {
  const { telemetry: words } = useTexts();
  return (
    <TextInput
      label={words.units}
      value={draft.units}
      error={errorAt(errors, "units")}
      onChange={(event) => onChange({ units: event.currentTarget.value })}
    />
  );
}

/** Settings that few sensors need. They are open while one of them has a fault. */
function FurtherFields({ draft, errors, onChange }: KindFieldsProps) {
  const { sensor: texts } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const isFaulty = FURTHER_MEMBERS.some((name) => errorAt(errors, name) !== undefined);
  const isShown = isOpen || isFaulty;
  const numberField = (name: "min" | "max" | "volume" | "accuracy", member: string) => (
    <NumberInput
      label={texts[name]}
      value={draft[name]}
      error={errorAt(errors, member)}
      {...NUMBERS}
      onChange={(next) => onChange({ [name]: next })}
    />
  );
  const known: Record<string, string> = texts.unitsTypes;
  const unitsTypes = known[draft.unitsType] ? known : { ...known, [draft.unitsType]: draft.unitsType };
  const Icon = isShown ? IconChevronUp : IconChevronDown;
  return (
    <>
      <UnstyledButton fz="sm" aria-expanded={isShown} onClick={() => setOpen(!isShown)}>
        <Group gap={6}>
          <Icon size={16} aria-hidden />
          {texts.further}
        </Group>
      </UnstyledButton>
      <Collapse expanded={isShown}>
        <Group gap="xs" align="flex-end" grow mb="xs">
          {numberField("min", "parameters.min")}
          {numberField("max", "parameters.max")}
        </Group>
        <Group gap="xs" align="flex-end" grow>
          {numberField("accuracy", "accuracy")}
          {draft.meteringType === "fuel" && numberField("volume", "parameters.volume")}
          <Select
            label={texts.unitsType}
            data={toOptions(unitsTypes)}
            value={draft.unitsType}
            error={errorAt(errors, "units_type")}
            allowDeselect={false}
            onChange={(unitsType) => unitsType && onChange({ unitsType })}
          />
        </Group>
      </Collapse>
    </>
  );
}

/** The formula with the last value of the device, after which comes the curve of a stored sensor. */
function MeasuredPreview({ trackerId, sensor, draft, values }: KindFieldsProps) {
  const { telemetry: words, sensor: texts } = useTexts();
  const format = useFormat();
  const [curve] = useCurves(trackerId, sensor?.type === "metering" ? [sensor.id] : []);
  const divider = numberIn(draft.divider) ?? 1;
  if (!draft.inputName) return null;
  const raw = numberOf(values?.nonnull_fields[draft.inputName]?.[0]?.value);
  const show = (value: number) => format.number(value, 3);
  if (raw === null) return <PreviewText>{words.noPreview}</PreviewText>;
  if (divider === 0 || Number.isNaN(divider)) return null;
  const shown = show(raw);
  if (!isWithin(raw, { min: numberIn(draft.min), max: numberIn(draft.max) }))
    return <PreviewText>{texts.isOutside(shown)}</PreviewText>;
  const result = raw / divider;
  const meaning = curve?.length ? ` → ${show(calibrate(result, curve))}` : "";
  return (
    <PreviewText>{words.preview(`${shown} ÷ ${show(divider)} = ${show(result)}${meaning} ${draft.units}`)}</PreviewText>
  );
}

/** The values of the parts that have one, and what is made of them. */
function CombinedPreview({ trackerId, sensors, draft, values }: KindFieldsProps) {
  const { telemetry: words, sensor: texts } = useTexts();
  const format = useFormat();
  const parts = partsIn(sensors).filter(({ id }) => draft.partIds.includes(`${id}`));
  const curves = useCurves(
    trackerId,
    parts.map(({ id }) => id),
  );
  if (parts.length === 0) return null;
  const found = parts.flatMap((part, index) => {
    const raw = numberOf(values?.nonnull_fields[part.input_name]?.[0]?.value);
    return raw !== null && isWithin(raw, part.parameters) ? calibrate(raw / part.divider, curves[index] ?? []) : [];
  });
  if (found.length === 0) return <PreviewText>{words.noPreview}</PreviewText>;
  const show = (value: number) => format.number(value, 3);
  const sum = found.reduce((total, value) => total + value, 0);
  const terms = found.map(show).join(" + ");
  const formula =
    draft.groupType === "sum"
      ? `${terms} = ${show(sum)}`
      : `(${terms}) ÷ ${found.length} = ${show(sum / found.length)}`;
  const missing = parts.length - found.length;
  return (
    <PreviewText>
      {words.preview(`${formula} ${draft.units}`)}
      {missing > 0 && ` ${texts.withoutValue(format.integer(missing))}`}
    </PreviewText>
  );
}

/** The curves of stored sensors, in the order of the ids; undefined while one is loading. */
function useCurves(trackerId: number, ids: number[]): (Bend[] | undefined)[] {
  return useQueries({ queries: ids.map((id) => curveQuery(trackerId, id)) }).map(({ data }) => data);
}

/** The sensors that a combined one may consist of: those that measure an attribute themselves. */
function partsIn(sensors: KindFieldsProps["sensors"], ownId?: number): MeteringSensor[] {
  return sensors.flatMap((one) =>
    one.type === "metering" && one.input_name !== COMBINED && one.id !== ownId ? one : [],
  );
}
