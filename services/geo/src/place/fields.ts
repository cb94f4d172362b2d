import * as z from "zod";
import { invalid } from "#shared/error/api-error.ts";
import { text } from "#shared/operation/fields.ts";
import { foldText } from "#shared/text/fold.ts";
import type { CustomFieldRow, FieldType } from "../table/place/custom-field.ts";
import type { StoredFields } from "../table/place/place.ts";
import type { FieldValues } from "./schema.ts";

/**
 * Converts values to their types; null and empty values are dropped. Whether the fields are the account's, the database
 * checks.
 */
export function toStoredFields(values: FieldValues): StoredFields {
  const stored: StoredFields = {};
  for (const [id, field] of Object.entries(values)) {
    if (field === null || field.value === null || field.value === "") continue;
    const { type, value } = field;
    const read = readValue(type, value);
    if (read === undefined) throw invalid(`place.fields.${id}.value`, `is no ${type} of a custom field`);
    stored[id] = { type, value: read, folded: foldText([...String(read)].slice(0, MAX_SEARCHED_CHARACTERS).join("")) };
  }
  return stored;
}

/** The value converted to its type; undefined if it does not fit. */
export function readValue(type: FieldType, value: string | number): string | number | undefined {
  return VALUES[type].safeParse(value).data;
}

/** Merges an update into a place's fields: fields that are not named stay, named fields without a value are removed. */
export function mergeFields(current: StoredFields, values: FieldValues, stored: StoredFields): StoredFields {
  const unchanged = Object.entries(current).filter(([id]) => !Object.hasOwn(values, id));
  return { ...Object.fromEntries(unchanged), ...stored };
}

/** Ids of the employees that the values name. */
export function employeesIn(stored: StoredFields): number[] {
  return Object.values(stored).flatMap(({ type, value }) => (type === "employee" ? [Number(value)] : []));
}

/**
 * The error of the first field that is not the account's, has another type, or is required and missing; undefined if
 * none.
 */
export function findOffence(values: FieldValues, stored: StoredFields, fields: CustomFieldRow[], isNeeded: IsRequired) {
  const byId = new Map(fields.map((field) => [String(field.id), field]));
  for (const [id, change] of Object.entries(values)) {
    const field = byId.get(id);
    if (!field) return invalid(`place.fields.${id}`, "is no field of yours");
    if (change && field.type !== change.type) return invalid(`place.fields.${id}.type`, `must be ${field.type}`);
  }
  const missing = fields.find(({ id, required }) => required && isNeeded(String(id)) && !stored[id]);
  return missing ? invalid(`place.fields.${missing.id}`, "is required") : undefined;
}

type IsRequired = (id: string) => boolean;

const decimal = number().refine((value) => Math.abs(value) < 1e12 && Number(value.toFixed(6)) === value);
const integer = number().refine((value) => Math.abs(value) <= 2 ** 63 && Number.isInteger(value));
const VALUES: Record<FieldType, z.ZodType<string | number>> = {
  text: text(700),
  bigtext: text(20_000),
  email: z.email().max(255),
  phone: z.string().regex(/^\+?[\d ()-]{3,32}$/),
  decimal,
  integer: integer,
  employee: integer.refine((value) => value > 0),
};

/** A number, or its text. */
function number() {
  return z.union([
    z.number(),
    z
      .string()
      .regex(/^-?\d{1,25}(\.\d{1,6})?$/)
      .transform(Number),
  ]);
}

/** Only the beginning of a long text can be searched and sorted. */
const MAX_SEARCHED_CHARACTERS = 1000;
