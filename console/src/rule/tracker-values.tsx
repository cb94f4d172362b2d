import { Alert, Fieldset, Stack, Text } from "@mantine/core";
import { useTexts } from "../text/use-texts.tsx";
import type { Tracker } from "../tracker/queries.ts";
import type { TrackerValues } from "./draft.ts";
import { ParameterFields } from "./parameter-field.tsx";
import type { Parameter } from "./parameters.ts";

type TrackerValueFieldsProps = {
  members: Parameter[];
  trackers: Tracker[];
  values: TrackerValues;
  error: string | undefined;
  onChange(values: TrackerValues): void;
};

/** Values of their own for the trackers of the rule: each has other sensors. */
export function TrackerValueFields({ members, trackers, values, error, onChange }: TrackerValueFieldsProps) {
  const { rule: words } = useTexts();
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {words.members.tracker_params}
      </Text>
      {error && (
        <Text size="sm" c="error" role="alert">
          {error}
        </Text>
      )}
      {trackers.length === 0 && <Alert variant="default">{words.trial.noTracker}</Alert>}
      {trackers.map(({ id, label }) => (
        <Fieldset key={id} legend={<bdi>{label}</bdi>}>
          <ParameterFields
            parameters={members}
            values={values[id] ?? {}}
            errors={{}}
            trackerId={id}
            onChange={(row) => onChange({ ...values, [id]: row })}
          />
        </Fieldset>
      ))}
    </Stack>
  );
}
