import { ActionIcon, Button, Fieldset, Group, NumberInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { errorAt } from "../../component/field-errors.ts";
import { useFormat } from "../../session/user.tsx";
import { useTexts } from "../../text/use-texts.tsx";
import { AttributeField } from "./attribute-field.tsx";
import { faultsOf, ruleOf, type SensorDraft, titlesOf, type ValueTitle } from "./draft.ts";
import { numberOf, virtualValue } from "./formula.ts";
import { type KindFieldsProps, NUMBERS, PreviewText, toOptions } from "./kind-fields.tsx";

const MAX_TITLES = 100;

/** The fields of a sensor that is calculated from an attribute: by a range, a bit, or as it is. */
export function VirtualFields(props: KindFieldsProps) {
  const { draft, values, errors, onChange } = props;
  const { telemetry: words, sensor: texts } = useTexts();
  return (
    <>
      <Select
        label={words.meaning}
        data={toOptions(texts.virtualTypes)}
        value={draft.virtualType}
        error={errorAt(errors, "sensor_type")}
        allowDeselect={false}
        onChange={(next) => onChange({ virtualType: next as SensorDraft["virtualType"] })} // the options are the types
      />
      <AttributeField
        {...{ values, value: draft.inputName, error: errorAt(errors, "input_name") }}
        onChange={(inputName) => onChange({ inputName })}
      />
      <Select
        label={texts.method}
        data={toOptions(texts.methods)}
        value={draft.method}
        error={errorAt(errors, "parameters.calc_method")}
        allowDeselect={false}
        onChange={(next) => onChange({ method: next as SensorDraft["method"] })} // the options are the methods
      />
      <RuleFields {...props} />
      {draft.method === "identity" ? <TitleRows {...props} /> : <TwoTitles {...props} />}
      <Preview {...props} />
    </>
  );
}

function RuleFields({ draft, errors, onChange }: KindFieldsProps) {
  const { sensor: texts } = useTexts();
  if (draft.method === "identity") return null;
  if (draft.method === "bit_index")
    return (
      <NumberInput
        label={texts.bitIndex}
        description={texts.bitHint}
        value={draft.bitIndex}
        error={errorAt(errors, "parameters.bit_index")}
        {...{ min: 1, max: 32, allowDecimal: false }}
        onChange={(bitIndex) => onChange({ bitIndex })}
      />
    );
  return (
    <Group gap="xs" align="flex-start" grow>
      <NumberInput
        label={texts.rangeFrom}
        value={draft.rangeFrom}
        error={errorAt(errors, "parameters.range_from")}
        {...NUMBERS}
        onChange={(rangeFrom) => onChange({ rangeFrom })}
      />
      <NumberInput
        label={texts.rangeTo}
        value={draft.rangeTo}
        error={errorAt(errors, "parameters.range_to")}
        {...NUMBERS}
        onChange={(rangeTo) => onChange({ rangeTo })}
      />
    </Group>
  );
}

/** The titles of the two values of a range or a bit. */
function TwoTitles({ draft, onChange }: KindFieldsProps) {
  const { sensor: texts } = useTexts();
  const { yes, no } = texts.outcomes[draft.method === "bit_index" ? "bit_index" : "in_range"];
  const field = (value: string, outcome: string) => (
    <TextInput
      label={texts.titleFor(outcome)}
      placeholder={value}
      value={draft.titles.find((one) => one.value === value)?.title ?? ""}
      maxLength={64}
      onChange={(event) => {
        const others = draft.titles.filter((one) => one.value !== value);
        onChange({ titles: [...others, { value, title: event.currentTarget.value }] });
      }}
    />
  );
  return (
    <Group gap="xs" align="flex-end" grow>
      {field("1", yes)}
      {field("0", no)}
    </Group>
  );
}

/** Titles for any values of the device. */
function TitleRows({ draft, errors, onChange }: KindFieldsProps) {
  const { sensor: texts } = useTexts();
  const { titles } = draft;
  const change = (index: number, changes: Partial<ValueTitle>) =>
    onChange({ titles: titles.map((one, at) => (at === index ? { ...one, ...changes } : one)) });
  return (
    <Fieldset legend={texts.titles}>
      <Stack gap={6}>
        <Text size="xs" c="dimmed">
          {texts.titlesHint}
        </Text>
        {titles.map(({ value, title }, index) => {
          const number = String(index + 1);
          return (
            <Group key={index} gap={6} wrap="nowrap">
              <TextInput
                flex="1 1 5rem"
                miw={0}
                aria-label={texts.valueOf(number)}
                placeholder={texts.value}
                value={value}
                maxLength={64}
                onChange={(event) => change(index, { value: event.currentTarget.value })}
              />
              <TextInput
                flex="2 1 7rem"
                miw={0}
                aria-label={texts.titleOf(number)}
                placeholder={texts.title}
                value={title}
                maxLength={64}
                onChange={(event) => change(index, { title: event.currentTarget.value })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={texts.removeTitle(number)}
                onClick={() => onChange({ titles: titles.toSpliced(index, 1) })}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          );
        })}
        {errorAt(errors, "parameters.value_titles") && (
          <Text size="xs" c="error" role="alert">
            {errorAt(errors, "parameters.value_titles")}
          </Text>
        )}
        {titles.length < MAX_TITLES && (
          <Button
            size="compact-sm"
            variant="default"
            me="auto"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange({ titles: [...titles, { value: "", title: "" }] })}
          >
            {texts.addTitle}
          </Button>
        )}
      </Stack>
    </Fieldset>
  );
}

/** The result of the rule for the last value of the device. */
function Preview({ draft, values }: KindFieldsProps) {
  const { telemetry: words, sensor: texts } = useTexts();
  const format = useFormat();
  if (!draft.inputName || Object.keys(faultsOf(draft)).length > 0) return null;
  const raw = values?.nonnull_fields[draft.inputName]?.[0]?.value;
  if (raw === undefined || raw === null) return <PreviewText>{words.noPreview}</PreviewText>;
  const value = virtualValue(raw, ruleOf(draft));
  const number = numberOf(raw);
  const shown = typeof raw === "number" && number !== null ? format.number(number, 3) : String(raw);
  if (value === null) return <PreviewText>{texts.isNoNumber(shown)}</PreviewText>;
  const title = titlesOf(draft.titles, draft.method).find((one) => one.value === value)?.title ?? value;
  const outcomes = draft.method === "identity" ? undefined : texts.outcomes[draft.method];
  const outcome = outcomes && (value === "1" ? outcomes.yes : outcomes.no);
  return <PreviewText>{words.preview([shown, outcome, `“${title}”`].filter(Boolean).join(" → "))}</PreviewText>;
}
