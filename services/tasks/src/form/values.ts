import * as z from "zod";
import type { FileContent } from "#shared/contract/file/file-ticket.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { plainDate } from "#shared/operation/fields.ts";
import type { FormValue, FormValues } from "../table/form/form-field.ts";
import { type FormField, MAX_FIELDS, MAX_FILES_PER_FIELD } from "./fields.ts";

/** Reasons to refuse a value, with the codes that error 242 carries. */
export const OFFENCE_CODES = {
  missing: 1,
  type: 2,
  null: 3,
  index: 4,
  size: 5,
  below: 6,
  above: 7,
  reference: 8,
  file_type: 9,
  file_state: 10,
} as const;
type Offence = { field_id: string; code: number; error: string };

/**
 * The values of a request. Their content depends on the form's fields, so that `mergeValues` checks it and throws 242.
 */
export function formValues() {
  return z
    .record(z.string(), z.unknown())
    .refine((values) => Object.keys(values).length <= MAX_FIELDS, {
      error: `must have at most ${MAX_FIELDS} members`,
    })
    .meta({ description: "Values by the ids of the fields: `{type, …}` as the field's type defines it" });
}
export type FormEntries = Record<string, unknown>;

/** The form that values are checked against. */
export type FormContext = {
  fields: FormField[];
  /** The files that were uploaded or announced for the form, by id. */
  files: Map<number, FormFileState>;
  /** The caller's day, `yyyy-MM-dd`. */
  today: string;
};
export type FormFileState = {
  field_id: string;
  is_uploaded: boolean;
  /**
   * Undefined before the upload has finished, and for files stored before contents were recorded: these are accepted
   * unchecked.
   */
  content: FileContent | undefined;
};

/**
 * The form's values after the request: given values replace earlier ones, other values stay. Throws 242 with every
 * wrong field.
 */
export function mergeValues(given: FormEntries, before: FormValues, context: FormContext): FormValues {
  const offences: Offence[] = [];
  const fields = new Map(context.fields.map((field) => [field.id, field]));
  const note = (field_id: string, { code, error }: Refusal) => offences.push({ field_id, code, error });
  const values: FormValues = { ...before };
  for (const [id, value] of Object.entries(given)) {
    const field = fields.get(id);
    if (!field) {
      note(id, refuse("reference", "there is no such field"));
      continue;
    }
    const judged = judge(field, value, context);
    delete values[id];
    if (judged instanceof Refusal) note(id, judged);
    else if (judged) values[id] = judged;
  }
  const refused = new Set(offences.map(({ field_id }) => field_id));
  for (const { id, required } of context.fields) {
    if (required && !Object.hasOwn(values, id) && !refused.has(id)) note(id, refuse("missing", "a value is required"));
  }
  if (offences.length > 0) throw new ApiError(242, { errors: offences });
  return values;
}

/** The ids of the files that values reference; works for unchecked values of a request, too. */
export function collectFileIds(values: FormEntries): number[] {
  const ids = Object.values(values).flatMap((value) => {
    if (typeof value !== "object" || value === null) return [];
    const { file_id, file_ids } = value as { file_id?: unknown; file_ids?: unknown };
    return [file_id, ...(Array.isArray(file_ids) ? file_ids.slice(0, MAX_FILES_PER_FIELD) : [])];
  });
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id)))] as number[]; // what is left are numbers
}

class Refusal {
  readonly code: number;
  readonly error: string;

  constructor(code: number, error: string) {
    this.code = code;
    this.error = error;
  }
}

function refuse(offence: keyof typeof OFFENCE_CODES, error: string) {
  return new Refusal(OFFENCE_CODES[offence], error);
}

/** The value to store; undefined when the field becomes empty. */
function judge(field: FormField, given: unknown, context: FormContext): FormValue | Refusal | undefined {
  if (field.type === "separator") return undefined;
  if (given === null) return refuse("null", "the value is null");
  const schema = VALUE_SCHEMAS[field.type];
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    return hasNullMember(given)
      ? refuse("null", "the value is null")
      : refuse("type", "the value is none of the field's type");
  }
  return JUDGES[field.type](field as never, parsed.data as never, context); // one type throughout
}

/** Whether a member of the value is null. */
function hasNullMember(given: unknown) {
  return typeof given === "object" && given !== null && Object.values(given).includes(null);
}

const VALUE_SCHEMAS = {
  text: z.object({ type: z.literal("text"), value: z.string() }),
  checkbox_group: z.object({ type: z.literal("checkbox_group"), values: z.array(z.boolean()) }),
  dropdown: z.object({ type: z.literal("dropdown"), value_index: z.int() }),
  radio_group: z.object({ type: z.literal("radio_group"), value_index: z.int() }),
  date: z.object({ type: z.literal("date"), value: plainDate() }),
  rating: z.object({ type: z.literal("rating"), value: z.int() }),
  file: z.object({ type: z.literal("file"), file_ids: z.array(z.int()) }),
  photo: z.object({ type: z.literal("photo"), file_ids: z.array(z.int()) }),
  signature: z.object({ type: z.enum(["file", "signature"]), file_id: z.int() }),
};
type Kind = keyof typeof VALUE_SCHEMAS;
type FieldOf<K extends Kind> = Extract<FormField, { type: K }>;
type ValueOf<K extends Kind> = z.output<(typeof VALUE_SCHEMAS)[K]>;

const JUDGES: {
  [K in Kind]: (field: FieldOf<K>, value: ValueOf<K>, judging: FormContext) => FormValue | Refusal | undefined;
} = {
  text({ min_length, max_length }, { type, value }) {
    if (value === "") return undefined;
    const length = [...value].length;
    if (length < min_length || length > max_length) return refuse("size", "text length constraints are not met");
    return { type, value };
  },
  checkbox_group({ group, min_checked, max_checked }, { type, values }) {
    if (values.length > group.length) return refuse("index", "there are more values than boxes");
    const checked = values.filter(Boolean).length;
    if (checked === 0) return undefined;
    if (checked < min_checked || checked > max_checked) return refuse("size", "too few or too many are checked");
    return { type, values };
  },
  dropdown: judgeOption,
  radio_group: judgeOption,
  date({ disable_past, disable_future }, { type, value }, { today }) {
    if (disable_past && value < today) return refuse("below", "the day must not be in the past");
    if (disable_future && value > today) return refuse("above", "the day must not be in the future");
    return { type, value };
  },
  rating({ max_stars }, { type, value }) {
    if (value < 1) return refuse("below", "the rating is below 1");
    if (value > max_stars) return refuse("above", `the rating is above ${max_stars}`);
    return { type, value };
  },
  file(field, { type, file_ids }, judging) {
    if (file_ids.length === 0) return undefined;
    if (file_ids.length > MAX_FILES_PER_FIELD)
      return refuse("size", `there are more than ${MAX_FILES_PER_FIELD} files`);
    const { min_file_size, max_file_size, allowed_extensions } = field;
    const extensions = allowed_extensions?.map((one) => one.replace(/^\./, "").toLowerCase());
    const wrong = findFileRefusal(field, file_ids, judging, ({ name, size }) => {
      if (size < min_file_size || size > max_file_size) return refuse("size", "a file is too small or too large");
      if (extensions && !extensions.includes(extensionOf(name)))
        return refuse("file_type", "a file has another extension");
      return undefined;
    });
    return wrong ?? { type, file_ids };
  },
  photo(field, { type, file_ids }, judging) {
    if (file_ids.length === 0) return undefined;
    if (file_ids.length > field.max_files) return refuse("size", `there are more than ${field.max_files} photos`);
    return findFileRefusal(field, file_ids, judging, refuseNoImage) ?? { type, file_ids };
  },
  signature(field, { file_id }, judging) {
    return findFileRefusal(field, [file_id], judging, refuseNoImage) ?? { type: "file", file_id };
  },
};

function judgeOption(
  { options }: FieldOf<"dropdown" | "radio_group">,
  { type, value_index }: ValueOf<"dropdown" | "radio_group">,
): FormValue | Refusal {
  if (value_index < 0 || value_index >= options.length) return refuse("index", "there is no such option");
  return { type, value_index };
}

/** The first reason to refuse one of the files. */
function findFileRefusal(
  field: FormField,
  ids: number[],
  { files }: FormContext,
  refuseContent: (file: FileContent) => Refusal | undefined,
): Refusal | undefined {
  if (new Set(ids).size < ids.length) return refuse("reference", "a file is named twice");
  for (const id of ids) {
    const file = files.get(id);
    if (!file || file.field_id !== field.id) return refuse("reference", "there is no such file of the field");
    if (!file.is_uploaded) return refuse("file_state", "a file is not uploaded");
    const wrong = file.content && refuseContent(file.content);
    if (wrong) return wrong;
  }
  return undefined;
}

function refuseNoImage({ mime_type }: FileContent) {
  return mime_type.startsWith("image/") ? undefined : refuse("file_type", "a file is no image");
}

function extensionOf(name: string) {
  return name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
}
