import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { FieldErrors } from "../../component/field-errors.ts";
import type { LastValues } from "../last-values.ts";
import type { Sensor } from "../queries.ts";
import type { SensorDraft } from "./draft.ts";

/** Properties that the fields of every kind of sensor have. */
export type KindFieldsProps = {
  trackerId: number;
  values: LastValues | undefined;
  /** Undefined: a new one. */
  sensor: Sensor | undefined;
  /** All sensors of the tracker, of which a combined one is made. */
  sensors: Sensor[];
  draft: SensorDraft;
  errors: FieldErrors;
  onChange(changes: Partial<SensorDraft>): void;
};

/** Settings of fields for decimal numbers of any size. */
export const NUMBERS = { allowedDecimalSeparators: [",", "."], hideControls: true };

/** The result of a formula for the last value. Screen readers say it again when a message changes it. */
export function PreviewText({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" role="status">
      {children}
    </Text>
  );
}

export function toOptions(names: Record<string, string>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}
