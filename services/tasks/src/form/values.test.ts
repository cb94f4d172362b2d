import { expect, test } from "vitest";
import type { FileContent } from "#shared/contract/file/file-ticket.ts";
import { FormField } from "./fields.ts";
import { collectFileIds, type FormEntries, type FormFileState, mergeValues } from "./values.ts";

const TODAY = "2026-11-20";
const common = { id: "f", label: "Field", description: "What it is" };
const options = [{ label: "A" }, { label: "B" }];

function fileOf(
  id: number,
  more: Partial<FileContent> = {},
  row: Partial<FormFileState> = {},
): [number, FormFileState] {
  const content = { name: "a.png", size: 10, mime_type: "image/png", ...more };
  return [id, { field_id: "f", is_uploaded: true, content, ...row }];
}

const files = new Map([
  fileOf(1),
  fileOf(2, { name: "b.PDF", size: 500, mime_type: "application/pdf" }),
  fileOf(3, {}, { is_uploaded: false, content: undefined }),
  fileOf(4, {}, { field_id: "other" }),
  fileOf(5, { name: "none", size: 1001 }),
]);

/** Answers the merged values, or the codes of the refused fields. */
function fill(field: object, given: FormEntries, before = {}) {
  const fields = [FormField.parse({ ...common, ...field })];
  try {
    return mergeValues(given, before, { fields, files, today: TODAY });
  } catch (thrown) {
    const { extra } = thrown as { extra: { errors: { field_id: string; code: number }[] } };
    return extra.errors.map(({ field_id, code }) => `${field_id} ${code}`);
  }
}

const text = { type: "text", min_length: 2, max_length: 3 };
const boxes = { type: "checkbox_group", group: [...options, { label: "C" }], min_checked: 2, max_checked: 2 };
const pick = { type: "dropdown", options };
const radio = { type: "radio_group", options };
const stars = { type: "rating", max_stars: 5 };
const future = { type: "date", disable_past: true };
const past = { type: "date", disable_future: true };
const any = { type: "file" };
const pdf = { type: "file", min_file_size: 11, max_file_size: 1000, allowed_extensions: [".pdf"] };
const photo = { type: "photo", max_files: 1 };
const signature = { type: "signature" };

test.each<[object, object]>([
  [text, { type: "text", value: "ab" }],
  [text, { type: "text", value: "ábc" }],
  [boxes, { type: "checkbox_group", values: [true, false, true] }],
  [boxes, { type: "checkbox_group", values: [true, true] }],
  [pick, { type: "dropdown", value_index: 1 }],
  [radio, { type: "radio_group", value_index: 0 }],
  [stars, { type: "rating", value: 5 }],
  [future, { type: "date", value: TODAY }],
  [past, { type: "date", value: TODAY }],
  [any, { type: "file", file_ids: [1, 2] }],
  [pdf, { type: "file", file_ids: [2] }],
  [photo, { type: "photo", file_ids: [1] }],
  [signature, { type: "file", file_id: 1 }],
])("filledIn takes for the field %j the value %j", (field, value) => {
  expect(fill(field, { f: value })).toEqual({ f: value });
});

test("mergeValues takes a file of type signature for a signature field, and stores it as a file", () => {
  expect(fill(signature, { f: { type: "signature", file_id: 1 } })).toEqual({ f: { type: "file", file_id: 1 } });
});

test.each<[number, object, unknown]>([
  [2, text, { type: "dropdown", value_index: 0 }],
  [2, text, { type: "text", value: 5 }],
  [2, text, "ab"],
  [3, text, null],
  [3, text, { type: "text", value: null }],
  [4, pick, { type: "dropdown", value_index: 2 }],
  [4, radio, { type: "radio_group", value_index: -1 }],
  [4, boxes, { type: "checkbox_group", values: [true, true, false, false] }],
  [5, text, { type: "text", value: "a" }],
  [5, text, { type: "text", value: "abcd" }],
  [5, boxes, { type: "checkbox_group", values: [true, false, false] }],
  [5, boxes, { type: "checkbox_group", values: [true, true, true] }],
  [5, photo, { type: "photo", file_ids: [1, 2] }],
  [5, any, { type: "file", file_ids: [1, 2, 3, 4, 5, 6, 7] }],
  [5, pdf, { type: "file", file_ids: [5] }],
  [5, pdf, { type: "file", file_ids: [1] }],
  [6, stars, { type: "rating", value: 0 }],
  [6, future, { type: "date", value: "2026-11-19" }],
  [7, stars, { type: "rating", value: 6 }],
  [7, past, { type: "date", value: "2026-11-21" }],
  [2, past, { type: "date", value: "2026-02-30" }],
  [8, any, { type: "file", file_ids: [99] }],
  [8, any, { type: "file", file_ids: [4] }],
  [8, any, { type: "file", file_ids: [1, 1] }],
  [9, { ...pdf, min_file_size: 1 }, { type: "file", file_ids: [1] }],
  [9, photo, { type: "photo", file_ids: [2] }],
  [9, signature, { type: "file", file_id: 2 }],
  [10, any, { type: "file", file_ids: [3] }],
])("filledIn answers code %d when the field %j does not take %j", (code, field, value) => {
  expect(fill(field, { f: value })).toEqual([`f ${code}`]);
});

test.each<[object, object]>([
  [text, { type: "text", value: "" }],
  [boxes, { type: "checkbox_group", values: [false, false] }],
  [any, { type: "file", file_ids: [] }],
  [photo, { type: "photo", file_ids: [] }],
])(
  "filledIn for the field %j takes %j as no value, which is refused (1) when the field is required",
  (field, value) => {
    expect(fill(field, { f: value }, { f: { type: "text", value: "ab" } })).toEqual({});
    expect(fill({ ...field, required: true }, { f: value })).toEqual(["f 1"]);
  },
);

test("mergeValues refuses an unknown field (8) and a missing required one (1) at once, and takes nothing for a separator", () => {
  expect(fill({ type: "separator" }, { f: { type: "text", value: "a" } })).toEqual({});
  expect(fill({ ...stars, required: true }, {})).toEqual(["f 1"]);
  expect(fill({ ...stars, required: true }, { x: {} })).toEqual(["x 8", "f 1"]);
});

test("mergeValues keeps values that are not given", () => {
  const before = { f: { type: "rating" as const, value: 3 } };
  expect(fill({ ...stars, required: true }, {}, before)).toEqual(before);
});

test("mergeValues knows a field that is named like a member of every object by the form alone", () => {
  expect(fill(stars, { constructor: {} })).toEqual(["constructor 8"]);
});

test("collectFileIds finds the files of values in any input", () => {
  const given = { a: { file_ids: [1, "2", 2.5, 3] }, b: { file_id: 3 }, c: null, d: "x", e: { file_id: "7" } };
  expect(collectFileIds(given)).toEqual([1, 3]);
});
