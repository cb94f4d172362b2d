import { z } from "zod";
import { printableText } from "#shared/operation/fields.ts";

export const MOST_FIELDS = 128;
const LONGEST_TEXT = 1024;
const MOST_OPTIONS = 256;
const MOST_STARS = 100;
const LARGEST_FILE = 16 * 1024 * 1024;
/** Files that one field takes. */
export const MOST_FILES = 6;
/** Fields of a form that take files. */
const MOST_FILE_FIELDS = 16;
/** Characters of all fields as JSON: forms are read, copied and shown whole. */
const MOST_CHARACTERS = 128_000;
const WITH_FILES: readonly string[] = ["file", "photo", "signature"];

const options = () =>
  z
    .array(z.object({ label: printableText(1, 100) }))
    .min(1)
    .max(MOST_OPTIONS);
const bytes = () => z.int().min(0).max(LARGEST_FILE);
const wrong = (member: string, error: string) => ({ path: [member], error });

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
    min_length: z.int().min(0).max(LONGEST_TEXT).default(0),
    max_length: z.int().min(1).max(LONGEST_TEXT).default(LONGEST_TEXT),
  })
  .refine((field) => field.min_length <= field.max_length, wrong("max_length", "must not be below min_length"))
  .refine((field) => !field.required || field.min_length > 0, wrong("min_length", "must not be 0 if required"));

const CheckboxGroup = z
  .object({
    ...COMMON,
    type: z.literal("checkbox_group"),
    group: options(),
    min_checked: z.int().min(0).max(MOST_OPTIONS).default(0),
    max_checked: z.int().min(1).max(MOST_OPTIONS),
  })
  .refine((field) => field.min_checked <= field.max_checked, wrong("max_checked", "must not be below min_checked"))
  .refine(
    (field) => field.max_checked <= field.group.length,
    wrong("max_checked", "must not be above the group's size"),
  )
  .refine((field) => !field.required || field.min_checked > 0, wrong("min_checked", "must not be 0 if required"));

const FileField = z
  .object({
    ...COMMON,
    type: z.literal("file"),
    min_file_size: bytes().default(0),
    max_file_size: bytes().min(1).default(LARGEST_FILE),
    /** Null means any. */
    allowed_extensions: z
      .array(z.string().regex(/^\.?[^\s./\\]{1,16}$/u, { error: "must be an extension of 1 to 16 characters" }))
      .min(1)
      .max(16)
      .nullable()
      .default(null),
  })
  .refine(
    (field) => field.min_file_size <= field.max_file_size,
    wrong("max_file_size", "must not be below min_file_size"),
  );

/** A field of a form, by its type. */
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
  z.object({ ...COMMON, type: z.literal("rating"), max_stars: z.int().min(1).max(MOST_STARS) }),
  FileField,
  z.object({ ...COMMON, type: z.literal("photo"), max_files: z.int().min(1).max(MOST_FILES) }),
  z.object({ ...COMMON, type: z.literal("signature") }),
  z
    .object({ ...COMMON, type: z.literal("separator") })
    .refine((field) => !field.required, wrong("required", "must not be true for a separator")),
]);
export type FormField = z.output<typeof FormField>;

/** The fields of a form in their order. */
export function formFields() {
  return z
    .array(FormField)
    .max(MOST_FIELDS)
    .refine(areDistinct, { error: "must have ids of which no two are alike" })
    .refine((fields) => fields.filter(takesFiles).length <= MOST_FILE_FIELDS, {
      error: `must have at most ${MOST_FILE_FIELDS} fields that take files`,
    })
    .refine((fields) => JSON.stringify(fields).length <= MOST_CHARACTERS, {
      error: `must have at most ${MOST_CHARACTERS} characters in all`,
    });
}

export function takesFiles({ type }: Pick<FormField, "type">) {
  return WITH_FILES.includes(type);
}

function areDistinct(fields: { id: string }[]) {
  return new Set(fields.map(({ id }) => id)).size === fields.length;
}
