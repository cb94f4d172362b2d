import { expect, test } from "vitest";
import { fieldsIn, layoutOf } from "./layout.ts";

const BUILT_IN = ["label", "location", "tags", "description"];

test("layoutOf without a stored layout gives one section with all fields", () => {
  expect(layoutOf(undefined, [7, 9])).toEqual([{ label: "Main", field_order: [...BUILT_IN, "7", "9"] }]);
});

test("layoutOf drops fields that are gone, and appends new ones", () => {
  const stored = [
    { label: "One", field_order: ["7", "label", "8"] },
    { label: "Two", field_order: ["location", "tags", "description"] },
  ];
  expect(layoutOf(stored, [8, 9])).toEqual([
    { label: "One", field_order: ["label", "8"] },
    { label: "Two", field_order: ["location", "tags", "description", "9"] },
  ]);
});

test.each([
  [["label", "location", "tags"], undefined],
  [[...BUILT_IN, "label"], undefined],
  [[...BUILT_IN, "7", "7"], undefined],
  [[...BUILT_IN, "color"], undefined],
  [[...BUILT_IN, "07"], undefined],
  [
    [...BUILT_IN, "7", "12"],
    [7, 12],
  ],
])("fieldsIn sections that name %j gives the custom fields %j", (field_order, fields) => {
  expect(fieldsIn([{ label: "Main", field_order }])).toEqual(fields);
});
