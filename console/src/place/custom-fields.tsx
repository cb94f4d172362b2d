import { Select, Textarea, TextInput } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../session/api.ts";
import type { CustomField, NewPlace } from "./queries.ts";

export type FieldTexts = Record<string, string>;

const employeesQuery = queryOptions({
  queryKey: ["employee", "list"],
  queryFn: async ({ signal }) => (await call("/employee/list", {}, { signal })).list,
});

type CustomFieldsProps = {
  fields: CustomField[];
  values: FieldTexts;
  isReadOnly: boolean;
  onChange(values: FieldTexts): void;
};

/** The fields that the account has added to its places. */
export function CustomFields({ fields, values, isReadOnly, onChange }: CustomFieldsProps) {
  return fields.map((field) => {
    const { id, label, description, required, type } = field;
    const shared = {
      ...{ label, required, readOnly: isReadOnly, value: values[id] ?? "" },
      ...(description ? { description } : {}),
    };
    const change = (value: string) => onChange({ ...values, [id]: value });
    if (type === "employee") return <EmployeeSelect key={id} {...shared} onChange={change} />;
    if (type === "bigtext")
      return (
        <Textarea key={id} {...shared} autosize minRows={2} onChange={(event) => change(event.currentTarget.value)} />
      );
    const inputMode = { integer: "numeric", decimal: "decimal", email: "email", phone: "tel", text: "text" } as const;
    return (
      <TextInput
        key={id}
        {...shared}
        inputMode={inputMode[type]}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  });
}

type EmployeeSelectProps = {
  label: string;
  description?: string;
  required: boolean;
  readOnly: boolean;
  value: string;
  onChange(id: string): void;
};

function EmployeeSelect({ value, onChange, ...rest }: EmployeeSelectProps) {
  const { data = [] } = useQuery(employeesQuery);
  const options = data.map(({ id, first_name, last_name }) => ({
    value: String(id),
    label: `${first_name} ${last_name}`.trim() || String(id),
  }));
  return (
    <Select {...rest} data={options} searchable clearable value={value || null} onChange={(id) => onChange(id ?? "")} />
  );
}

export function toTexts(fields: Record<string, { value: string | number }> | undefined): FieldTexts {
  return Object.fromEntries(Object.entries(fields ?? {}).map(([id, { value }]) => [id, String(value)]));
}

/** The values as the API takes them; an empty text removes a value. */
export function toFields(texts: FieldTexts, fields: CustomField[]): NonNullable<NewPlace["fields"]> {
  return Object.fromEntries(fields.map(({ id, type }) => [id, { type, value: texts[id]?.trim() || null }]));
}
