import { z } from "zod";
import type { FileContent } from "#shared/contract/file-ticket.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { plainDate } from "#shared/operation/fields.ts";
import type { FormValue, FormValues } from "../table/form-field.ts";
import { type FormField, MOST_FIELDS, MOST_FILES } from "./fields.ts";

/** Why a value is refused, in the codes that 242 carries. */
export const OFFENCES = {
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

/** Values as they are given: what is in them depends on the form, which refuses with 242. */
export function formValues() {
  return z
    .record(z.string(), z.unknown())
    .refine((values) => Object.keys(values).length <= MOST_FIELDS, {
      error: `must have at most ${MOST_FIELDS} members`,
    })
    .meta({ description: "Values by the ids of the fields: `{type, …}` as the field's type defines it" });
}
export type FormEntries = Record<string, unknown>;

/** Against what values are held. */
export type Judging = {
  fields: FormField[];
  /** The files that were asked for with the form, by id. */
  files: Map<number, FileOfForm>;
  /** The caller's day, `yyyy-MM-dd`. */
  today: string;
};
export type FileOfForm = {
  field_id: string;
  is_uploaded: boolean;
  /** Undefined of one that is not uploaded, or was before such things were kept: that is taken as it is. */
  content: FileContent | undefined;
};

/**
 * What the form has from then on: given values take the place of those before, the others stay. Refused with 242, which
 * tells of every field that is wrong.
 */
export function filledIn(given: FormEntries, before: FormValues, judging: Judging): FormValues {
  const offences: Offence[] = [];
  const fields = new Map(judging.fields.map((field) => [field.id, field]));
  const note = (field_id: string, { code, error }: Refusal) => offences.push({ field_id, code, error });
  const values: FormValues = { ...before };
  for (const [id, value] of Object.entries(given)) {
    const field = fields.get(id);
    if (!field) {
      note(id, refusal("reference", "there is no such field"));
      continue;
    }
    const judged = judge(field, value, judging);
    delete values[id];
    if (judged instanceof Refusal) note(id, judged);
    else if (judged) values[id] = judged;
  }
  const told = new Set(offences.map(({ field_id }) => field_id));
  for (const { id, required } of judging.fields) {
    if (required && !Object.hasOwn(values, id) && !told.has(id)) note(id, refusal("missing", "a value is required"));
  }
  if (offences.length > 0) throw new ApiError(242, { errors: offences });
  return values;
}

/** The ids of the files that values name, given ones too, whatever else is in them. */
export function filesNamed(values: FormEntries): number[] {
  const ids = Object.values(values).flatMap((value) => {
    if (typeof value !== "object" || value === null) return [];
    const { file_id, file_ids } = value as { file_id?: unknown; file_ids?: unknown };
    return [file_id, ...(Array.isArray(file_ids) ? file_ids.slice(0, MOST_FILES) : [])];
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

function refusal(offence: keyof typeof OFFENCES, error: string) {
  return new Refusal(OFFENCES[offence], error);
}

/** The value as it is kept; undefined: it is none. */
function judge(field: FormField, given: unknown, judging: Judging): FormValue | Refusal | undefined {
  if (field.type === "separator") return undefined;
  if (given === null) return refusal("null", "the value is null");
  const shape = SHAPES[field.type];
  const parsed = shape.safeParse(given);
  if (!parsed.success) {
    return isNull(given)
      ? refusal("null", "the value is null")
      : refusal("type", "the value is none of the field's type");
  }
  return JUDGES[field.type](field as never, parsed.data as never, judging); // one type throughout
}

/** That a member of the value is null. */
function isNull(given: unknown) {
  return typeof given === "object" && given !== null && Object.values(given).includes(null);
}

const SHAPES = {
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
type Kind = keyof typeof SHAPES;
type FieldOf<K extends Kind> = Extract<FormField, { type: K }>;
type ValueOf<K extends Kind> = z.output<(typeof SHAPES)[K]>;

const JUDGES: {
  [K in Kind]: (field: FieldOf<K>, value: ValueOf<K>, judging: Judging) => FormValue | Refusal | undefined;
} = {
  text({ min_length, max_length }, { type, value }) {
    if (value === "") return undefined;
    const length = [...value].length;
    if (length < min_length || length > max_length) return refusal("size", "text length constraints are not met");
    return { type, value };
  },
  checkbox_group({ group, min_checked, max_checked }, { type, values }) {
    if (values.length > group.length) return refusal("index", "there are more values than boxes");
    const checked = values.filter(Boolean).length;
    if (checked === 0) return undefined;
    if (checked < min_checked || checked > max_checked) return refusal("size", "too few or too many are checked");
    return { type, values };
  },
  dropdown: chosen,
  radio_group: chosen,
  date({ disable_past, disable_future }, { type, value }, { today }) {
    if (disable_past && value < today) return refusal("below", "the day must not be in the past");
    if (disable_future && value > today) return refusal("above", "the day must not be in the future");
    return { type, value };
  },
  rating({ max_stars }, { type, value }) {
    if (value < 1) return refusal("below", "the rating is below 1");
    if (value > max_stars) return refusal("above", `the rating is above ${max_stars}`);
    return { type, value };
  },
  file(field, { type, file_ids }, judging) {
    if (file_ids.length === 0) return undefined;
    if (file_ids.length > MOST_FILES) return refusal("size", `there are more than ${MOST_FILES} files`);
    const { min_file_size, max_file_size, allowed_extensions } = field;
    const extensions = allowed_extensions?.map((one) => one.replace(/^\./, "").toLowerCase());
    const wrong = wrongFile(field, file_ids, judging, ({ name, size }) => {
      if (size < min_file_size || size > max_file_size) return refusal("size", "a file is too small or too large");
      if (extensions && !extensions.includes(extensionOf(name)))
        return refusal("file_type", "a file has another extension");
      return undefined;
    });
    return wrong ?? { type, file_ids };
  },
  photo(field, { type, file_ids }, judging) {
    if (file_ids.length === 0) return undefined;
    if (file_ids.length > field.max_files) return refusal("size", `there are more than ${field.max_files} photos`);
    return wrongFile(field, file_ids, judging, wrongImage) ?? { type, file_ids };
  },
  signature(field, { file_id }, judging) {
    return wrongFile(field, [file_id], judging, wrongImage) ?? { type: "file", file_id };
  },
};

function chosen(
  { options }: FieldOf<"dropdown" | "radio_group">,
  { type, value_index }: ValueOf<"dropdown" | "radio_group">,
): FormValue | Refusal {
  if (value_index < 0 || value_index >= options.length) return refusal("index", "there is no such option");
  return { type, value_index };
}

/** The first thing that is wrong with any of the files. */
function wrongFile(
  field: FormField,
  ids: number[],
  { files }: Judging,
  wrongWith: (file: FileContent) => Refusal | undefined,
): Refusal | undefined {
  if (new Set(ids).size < ids.length) return refusal("reference", "a file is named twice");
  for (const id of ids) {
    const file = files.get(id);
    if (!file || file.field_id !== field.id) return refusal("reference", "there is no such file of the field");
    if (!file.is_uploaded) return refusal("file_state", "a file is not uploaded");
    const wrong = file.content && wrongWith(file.content);
    if (wrong) return wrong;
  }
  return undefined;
}

function wrongImage({ mime_type }: FileContent) {
  return mime_type.startsWith("image/") ? undefined : refusal("file_type", "a file is no image");
}

function extensionOf(name: string) {
  return name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
}
