import { Autocomplete } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../text/use-texts.tsx";
import type { LastValues } from "../last-values.ts";
import { inputNamesQuery } from "../queries.ts";

type AttributeFieldProps = {
  value: string;
  values: LastValues | undefined;
  error: string | undefined;
  onChange(value: string): void;
};

const MAX_OPTIONS = 60;

/** The attribute that a sensor reads: one that the device has sent of late, a usual one, or any other name. */
export function AttributeField({ value, values, error, onChange }: AttributeFieldProps) {
  const { telemetry: words, sensor: texts } = useTexts();
  const { data: usual = [] } = useQuery(inputNamesQuery);
  const sent = Object.keys(values?.nonnull_fields ?? {}).toSorted();
  const others = usual.map(({ input_name }) => input_name).filter((name) => !sent.includes(name));
  return (
    <Autocomplete
      label={words.inputName}
      description={words.inputNameHint}
      data={[
        { group: texts.sentNames, items: sent },
        { group: texts.usualNames, items: others },
      ]}
      {...{ value, error, onChange, required: true, limit: MAX_OPTIONS }}
    />
  );
}
