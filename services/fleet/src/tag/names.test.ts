import { expect, test } from "vitest";
import type { Offence } from "#shared/error/api-error.ts";
import { idsByName, tagsNamed } from "./names.ts";

test("a cell names tags once each, of several with one name the first, and tells once what it does not find", () => {
  const byName = idsByName([
    { id: 1, name: "hot" },
    { id: 2, name: "cold" },
    { id: 3, name: "hot" },
  ]);
  const errors: Offence[] = [];
  expect(tagsNamed("cold, hot,, lost,cold,hot , lost", byName, errors)).toEqual([2, 1]);
  expect(errors).toEqual([{ parameter: "tags", error: "names no tag of yours: lost" }]);
});
