import * as z from "zod";
import { printableText } from "#shared/operation/fields.ts";

export const MAX_FIELDS = 128;
const MAX_TEXT_CHARACTERS = 1024;
const MAX_OPTIONS = 256;
const MAX_STARS = 100;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Limits the files of one field. */
export const MAX_FILES_PER_FIELD = 6;
/** Limits the fields of a form that take files. */
const MAX_FILE_FIELDS = 16;
/** Limits the characters of all fields as JSON: forms are read, copied and shown whole. */
const MAX_CHARACTERS_OF_FIELDS = 128_000;
const FILE_FIELD_TYPES: readonly string[] = ["file", "photo", "signature"];

const options = () =>
  z
    .array(z.object({ label: printableText(1, 100) }))
    .min(1)
    .max(MAX_OPTIONS);
const bytes = () => z.int().min(0).max(MAX_FILE_BYTES);
const offence = (member: string, error: string) => ({ path: [member], error });

const COMMON = {
  id: z.string().regex(/^[A-Za-z0-9_-]{1,19}$/, { error: "must be 1 to 19 letters, digits and hyphens" }),
  label: printableText(1, 100),
  description: printableText(1, 512),
  required: z.boolean().default(false),
};

const TextField = z
  .object({
    ...COMMON,
    type: z.literal("text"),
    min_length: z.int().min(0).max(MAX_TEXT_CHARACTERS).default(0),
    max_length: z.int().min(1).max(MAX_TEXT_CHARACTERS).default(MAX_TEXT_CHARACTERS),
  })
  .refine((field) => field.min_length <= field.max_length, offence("max_length", "must not be below min_length"))
  .refine((field) => !field.required || field.min_length > 0, offence("min_length", "must not be 0 if required"));

const CheckboxGroup = z
  .object({
    ...COMMON,
    type: z.literal("checkbox_group"),
    group: options(),
    min_checked: z.int().min(0).max(MAX_OPTIONS).default(0),
    max_checked: z.int().min(1).max(MAX_OPTIONS),
  })
  .refine((field) => field.min_checked <= field.max_checked, offence("max_checked", "must not be below min_checked"))
  .refine(
    (field) => field.max_checked <= field.group.length,
    offence("max_checked", "must not be above the group's size"),
  )
  .refine((field) => !field.required || field.min_checked > 0, offence("min_checked", "must not be 0 if required"));

const FileField = z
  .object({
    ...COMMON,
    type: z.literal("file"),
    min_file_size: bytes().default(0),
    max_file_size: bytes().min(1).default(MAX_FILE_BYTES),
    /** Null allows any extension. */
    allowed_extensions: z
      .array(z.string().regex(/^\.?[^\s./\\]{1,16}$/u, { error: "must be an extension of 1 to 16 characters" }))
      .min(1)
      .max(16)
      .nullable()
      .default(null),
  })
  .refine(
    (field) => field.min_file_size <= field.max_file_size,
    offence("max_file_size", "must not be below min_file_size"),
  );

/** A field of a form, discriminated by its type. */
export const FormField = z.discriminatedUnion("type", [
  TextField,
  CheckboxGroup,
  z.object({ ...COMMON, type: z.literal("dropdown"), options: options() }),
  z.object({ ...COMMON, type: z.literal("radio_group"), options: options() }),
  z.object({
    ...COMMON,
    type: z.literal("date"),
    disable_future: z.boolean().default(false),
    disable_past: z.boolean().default(false),
  }),
  z.object({ ...COMMON, type: z.literal("rating"), max_stars: z.int().min(1).max(MAX_STARS) }),
  FileField,
  z.object({ ...COMMON, type: z.literal("photo"), max_files: z.int().min(1).max(MAX_FILES_PER_FIELD) }),
  z.object({ ...COMMON, type: z.literal("signature") }),
  z
    .object({ ...COMMON, type: z.literal("separator") })
    .refine((field) => !field.required, offence("required", "must not be true for a separator")),
]);
export type FormField = z.output<typeof FormField>;

/** The schema of all fields of a form, in their order. */
export function formFields() {
  return z
    .array(FormField)
    .max(MAX_FIELDS)
    .refine(areDistinct, { error: "must have ids of which no two are alike" })
    .refine((fields) => fields.filter(takesFiles).length <= MAX_FILE_FIELDS, {
      error: `must have at most ${MAX_FILE_FIELDS} fields that take files`,
    })
    .refine((fields) => JSON.stringify(fields).length <= MAX_CHARACTERS_OF_FIELDS, {
      error: `must have at most ${MAX_CHARACTERS_OF_FIELDS} characters in all`,
    });
}

export function takesFiles({ type }: Pick<FormField, "type">) {
  return FILE_FIELD_TYPES.includes(type);
}

function areDistinct(fields: { id: string }[]) {
  return new Set(fields.map(({ id }) => id)).size === fields.length;
}
