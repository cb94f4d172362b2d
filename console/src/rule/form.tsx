import {
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Panel } from "../component/facts.tsx";
import { errorAt, type FieldErrors } from "../component/field-errors.ts";
import { useTexts } from "../text/use-texts.tsx";
import type { Tracker } from "../tracker/queries.ts";
import { parametersOf, type RuleDraft } from "./draft.ts";
import { hintOfKind, toKindOptions } from "./kinds.ts";
import { ParameterFields } from "./parameter-field.tsx";
import type { Parameter } from "./parameters.ts";
import { zonesQuery } from "./queries.ts";
import type { RuleType } from "./rule.ts";
import { ScheduleField } from "./schedule-field.tsx";
import { TrackerValueFields } from "./tracker-values.tsx";

export type RuleFormProps = {
  draft: RuleDraft;
  type: RuleType;
  types: RuleType[];
  /** All trackers of the account, and those of the rule. */
  trackers: Tracker[];
  chosen: Tracker[];
  errors: FieldErrors;
  onChange(changes: Partial<RuleDraft>): void;
};

const MAX_OPTIONS = 100;
/** Parameters that say where a rule acts stand beside its zones. */
const ABOUT_ZONES = [
  ...["zone_limit_inverted", "append_zone_title", "allow_exit_at_endpoints"],
  ...["confirm_points", "min_dwell_seconds", "exit_margin_meters", "max_precision_meters"],
];
/** Corridors are routes. */
const ROUTE_ZONE = "sausage";

/** The form of a rule. The parameters of its kind come from their declaration. */
export function RuleForm(props: RuleFormProps) {
  const { draft, errors, type, onChange } = props;
  const { rule: words } = useTexts();
  const parameters = useMemo(() => parametersOf(type, draft), [type, draft]);
  const aboutZones = parameters.filter(({ name }) => ABOUT_ZONES.includes(name));
  const others = parameters.filter((one) => !aboutZones.includes(one));
  return (
    <>
      <Panel title={words.sections.what}>
        <WhatFields {...props} parameters={others} />
      </Panel>
      <Panel title={words.sections.who}>
        <TrackerFields {...props} parameters={others} />
      </Panel>
      {type.zones !== "none" && (
        <Panel title={words.sections.where}>
          <ZoneFields {...props} parameters={aboutZones} />
        </Panel>
      )}
      <Panel title={words.sections.when}>
        <ScheduleField value={draft} error={errorAt(errors, "schedule")} onChange={onChange} />
      </Panel>
      <Panel title={words.sections.recipients}>
        <RecipientFields {...props} />
      </Panel>
    </>
  );
}

type PartProps = RuleFormProps & { parameters: Parameter[] };

function WhatFields({ draft, type, types, errors, parameters, onChange }: PartProps) {
  const texts = useTexts();
  const { rule: words, eventNames } = texts;
  const kinds = useMemo(() => toKindOptions(types, texts), [types, texts]);
  const paramNames: Partial<Record<string, string>> = words.params;
  return (
    <Stack gap="sm">
      <Select
        label={words.kind}
        description={hintOfKind(type.type, texts)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        data={kinds}
        value={draft.type}
        allowDeselect={false}
        {...{ searchable: true, nothingFoundMessage: words.nothingFound, maxDropdownHeight: 320 }}
        onChange={(next) => next && onChange({ type: next as RuleDraft["type"] })} // the options are the types
      />
      <TextInput
        label={words.name}
        value={draft.name}
        error={errorAt(errors, "name")}
        maxLength={255}
        withAsterisk
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      {type.param && (
        <NumberInput
          label={paramNames[type.type] ?? words.params.other}
          value={draft.param}
          error={errorAt(errors, "param")}
          allowDecimal={false}
          withAsterisk
          onChange={(next) => onChange({ param: typeof next === "number" ? next : "" })}
          maw={320}
        />
      )}
      <ParameterFields
        parameters={parameters}
        values={draft.values}
        errors={errors}
        trackerId={draft.trackers[0]}
        onChange={(values) => onChange({ values })}
      />
      <TextInput
        label={words.messageOf(eventNames[type.primary_event])}
        description={words.messageHint}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={draft.primaryText}
        error={errorAt(errors, "primary_text")}
        onChange={(event) => onChange({ primaryText: event.currentTarget.value })}
      />
      {type.secondary_event && (
        <TextInput
          label={words.messageOf(eventNames[type.secondary_event])}
          value={draft.secondaryText}
          error={errorAt(errors, "secondary_text")}
          onChange={(event) => onChange({ secondaryText: event.currentTarget.value })}
        />
      )}
      <Textarea
        label={words.description}
        value={draft.description}
        error={errorAt(errors, "description")}
        autosize
        minRows={1}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    </Stack>
  );
}

function TrackerFields({ draft, trackers, chosen, errors, parameters, onChange }: PartProps) {
  const { rule: words } = useTexts();
  const options = useMemo(() => trackers.map(({ id, label }) => ({ value: `${id}`, label })), [trackers]);
  const perTracker = parameters.find((parameter) => parameter.kind === "perTracker");
  return (
    <Stack gap="sm">
      <MultiSelect
        label={words.trackers}
        description={draft.trackers.length === 0 && words.noTracker}
        inputWrapperOrder={["label", "input", "description", "error"]}
        data={options}
        value={draft.trackers.map(String)}
        error={errorAt(errors, "trackers")}
        {...{ searchable: true, clearable: true, limit: MAX_OPTIONS, nothingFoundMessage: words.nothingFound }}
        onChange={(ids) => onChange({ trackers: ids.map(Number) })}
      />
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          disabled={draft.trackers.length === trackers.length}
          onClick={() => onChange({ trackers: trackers.filter(({ clone }) => !clone).map(({ id }) => id) })}
        >
          {words.allTrackers}
        </Button>
      </Group>
      {perTracker && (
        <TrackerValueFields
          members={perTracker.members}
          trackers={chosen}
          values={draft.perTracker}
          error={errorAt(errors, `extended_params.${perTracker.name}`)}
          onChange={(values) => onChange({ perTracker: values })}
        />
      )}
    </Stack>
  );
}

function ZoneFields({ draft, type, errors, parameters, onChange }: PartProps) {
  const { rule: words } = useTexts();
  const { data: zones } = useQuery(zonesQuery);
  const offered = (zones ?? []).filter((zone) => type.type !== "route" || zone.type === ROUTE_ZONE);
  const hint =
    zones?.length === 0 ? words.noZones : words[type.zones === "required" ? "zonesRequired" : "zonesOptional"];
  return (
    <Stack gap="sm">
      <MultiSelect
        label={words.zones}
        description={hint}
        inputWrapperOrder={["label", "input", "description", "error"]}
        data={offered.map(({ id, label }) => ({ value: `${id}`, label }))}
        value={draft.zoneIds.map(String)}
        error={errorAt(errors, "zone_ids")}
        withAsterisk={type.zones === "required"}
        {...{ searchable: true, clearable: true, limit: MAX_OPTIONS, nothingFoundMessage: words.nothingFound }}
        onChange={(ids) => onChange({ zoneIds: ids.map(Number) })}
      />
      <ParameterFields
        parameters={parameters}
        values={draft.values}
        errors={errors}
        onChange={(values) => onChange({ values })}
      />
    </Stack>
  );
}

function RecipientFields({ draft: { alerts }, errors, onChange }: RuleFormProps) {
  const { rule: words } = useTexts();
  const lists = [
    ["emails", words.emails],
    ["sms_phones", words.smsPhones],
    ["phones", words.phones],
  ] as const;
  return (
    <Stack gap="sm">
      <Switch
        label={words.push}
        checked={alerts.push_enabled}
        onChange={(event) => onChange({ alerts: { ...alerts, push_enabled: event.currentTarget.checked } })}
      />
      {lists.map(([name, label]) => (
        <TagsInput
          key={name}
          label={label}
          description={words.addHint}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={alerts[name]}
          error={errorAt(errors, `alerts.${name}`)}
          acceptValueOnBlur
          onChange={(values) => onChange({ alerts: { ...alerts, [name]: values } })}
        />
      ))}
    </Stack>
  );
}
