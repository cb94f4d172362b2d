import { Checkbox, Fieldset, Group, MultiSelect, NumberInput, Select, Stack, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { errorAt, type FieldErrors } from "../component/field-errors.ts";
import { useTexts } from "../text/use-texts.tsx";
import { trackersQuery } from "../tracker/queries.ts";
import type { Values } from "./draft.ts";
import type { Parameter, Reference } from "./parameters.ts";
import { sensorsQuery, workStatusesQuery } from "./queries.ts";

type FieldProps = {
  parameter: Parameter;
  value: unknown;
  error: string | undefined;
  /** The tracker whose sensors are offered. */
  trackerId: number | undefined;
  onChange(value: unknown): void;
};

const MAX_OPTIONS = 100;

/** The field of a parameter, as its declaration describes it. Groups and values of each tracker have fields of their own. */
export function ParameterField({ parameter, value, error, trackerId, onChange }: FieldProps) {
  const texts = useTexts();
  const label = nameOf(parameter.name, texts.rule.members);
  const common = { label, error, withAsterisk: parameter.isRequired };
  const chosen = value ?? parameter.byDefault;
  switch (parameter.kind) {
    case "flag":
      return (
        <Switch label={label} checked={chosen === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      );
    case "number":
      return (
        <NumberInput
          {...common}
          value={typeof chosen === "number" ? chosen : ""}
          placeholder={parameter.min === undefined ? "" : `${texts.rule.minimum} ${parameter.min}`}
          allowDecimal={!parameter.isInteger}
          allowNegative={parameter.min === undefined}
          onChange={(next) => onChange(typeof next === "number" ? next : null)}
          maw={320}
        />
      );
    case "choice":
      return (
        <Select
          {...common}
          data={toOptions(parameter.options, texts.rule.choices)}
          value={typeof chosen === "string" ? chosen : null}
          onChange={onChange}
          maw={320}
        />
      );
    case "choices":
      return (
        <Checkbox.Group {...common} value={listOf(chosen).map(String)} onChange={onChange}>
          <Group gap="md" mt={6}>
            {toOptions(parameter.options, texts.rule.choices).map((option) => (
              <Checkbox key={option.value} {...option} />
            ))}
          </Group>
        </Checkbox.Group>
      );
    case "reference":
      return <ReferenceSelect {...{ common, to: parameter.to, trackerId, onChange }} value={chosen} />;
    case "references":
      return <ReferenceMultiSelect {...{ common, to: parameter.to, onChange }} value={chosen} />;
    case "text":
      return (
        <TextInput
          {...common}
          value={typeof chosen === "string" || typeof chosen === "number" ? `${chosen}` : ""}
          onChange={(event) => onChange(event.currentTarget.value)}
          maw={320}
        />
      );
    case "group":
      return <MemberGroup {...{ parameter, label, onChange }} values={(chosen ?? {}) as Values} />; // an object's members
    case "perTracker":
      return null;
  }
}

/** Fields for several parameters of one object. */
export function ParameterFields(props: {
  parameters: Parameter[];
  values: Values;
  errors: FieldErrors;
  trackerId?: number | undefined;
  onChange(values: Values): void;
}) {
  const { parameters, values, errors, trackerId, onChange } = props;
  return (
    <Stack gap="sm">
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          {...{ parameter, trackerId }}
          value={values[parameter.name]}
          error={errorAt(errors, `extended_params.${parameter.name}`)}
          onChange={(value) => onChange({ ...values, [parameter.name]: value })}
        />
      ))}
    </Stack>
  );
}

type GroupProps = {
  parameter: Extract<Parameter, { kind: "group" }>;
  label: string;
  values: Values;
  onChange(values: Values): void;
};

function MemberGroup({ parameter: { members }, label, values, onChange }: GroupProps) {
  const { rule } = useTexts();
  return (
    <Fieldset legend={label}>
      <Group gap="md">
        {members.map(({ name }) => (
          <Checkbox
            key={name}
            label={nameOf(name, rule.members)}
            checked={values[name] === true}
            onChange={(event) => onChange({ ...values, [name]: event.currentTarget.checked })}
          />
        ))}
      </Group>
    </Fieldset>
  );
}

type Common = { label: string; error: string | undefined; withAsterisk: boolean };
type ReferenceProps = { common: Common; to: Reference; value: unknown; onChange(value: unknown): void };

function ReferenceSelect({ common, to, value, trackerId, onChange }: ReferenceProps & Pick<FieldProps, "trackerId">) {
  const { rule: words } = useTexts();
  const { data: sensors = [] } = useQuery({ ...sensorsQuery(trackerId ?? 0), enabled: trackerId !== undefined });
  const offered = to === "virtualSensor" ? sensors.filter(({ type }) => type === "virtual") : sensors;
  return (
    <Select
      {...common}
      data={offered.map(({ id, name }) => ({ value: `${id}`, label: name }))}
      value={typeof value === "number" ? `${value}` : null}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      {...{ searchable: true, clearable: true, nothingFoundMessage: words.nothingFound, maw: 320 }}
    />
  );
}

function ReferenceMultiSelect({ common, to, value, onChange }: ReferenceProps) {
  const { rule: words } = useTexts();
  const { data: trackers = [] } = useQuery({ ...trackersQuery, enabled: to === "tracker" });
  const { data: statuses = [] } = useQuery({ ...workStatusesQuery, enabled: to === "workStatus" });
  const offered = to === "tracker" ? trackers : statuses;
  return (
    <MultiSelect
      {...common}
      data={offered.map(({ id, label }) => ({ value: `${id}`, label }))}
      value={listOf(value).map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      {...{ searchable: true, clearable: true, limit: MAX_OPTIONS, nothingFoundMessage: words.nothingFound }}
    />
  );
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function toOptions(values: string[], names: Record<string, string>) {
  return values.map((value) => ({ value, label: nameOf(value, names) }));
}

/** A later version of the API may have members that have no text yet. */
function nameOf(name: string, names: Record<string, string>): string {
  return names[name] ?? name.replaceAll("_", " ");
}
