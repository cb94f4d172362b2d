import { expect, test } from "vitest";
import type { Offence } from "#shared/error/api-error.ts";
import { idsByName, splitTags, tagNamesIn, tagsNamed } from "./tags.ts";

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

test("the names of all cells are asked for once each; of a cell, those of no tag stay names", () => {
  expect(tagNamesIn([{ tags: "hot, cold" }, {}, { tags: "cold,,new" }])).toEqual(["hot", "cold", "new"]);
  const byName = idsByName([{ id: 1, name: "hot" }]);
  expect(splitTags("new, hot, new", byName)).toEqual({ ids: [1], unknown: ["new"] });
});
