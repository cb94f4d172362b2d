import { expect, test } from "vitest";
import type { Offence } from "#shared/error/api-error.ts";
import { idsByName, splitTags, tagIdsOfCell, tagNamesIn } from "./tags.ts";

test("tagIdsOfCell finds each tag of a cell once, the first of several with one name, and reports unknown names once", () => {
  const byName = idsByName([
    { id: 1, name: "hot" },
    { id: 2, name: "cold" },
    { id: 3, name: "hot" },
  ]);
  const errors: Offence[] = [];
  expect(tagIdsOfCell("cold, hot,, lost,cold,hot , lost", byName, errors)).toEqual([2, 1]);
  expect(errors).toEqual([{ parameter: "tags", error: "names no tag of yours: lost" }]);
});

test("tagNamesIn gives the names of all cells once each, and splitTags leaves a cell's unknown tags as names", () => {
  expect(tagNamesIn([{ tags: "hot, cold" }, {}, { tags: "cold,,new" }])).toEqual(["hot", "cold", "new"]);
  const byName = idsByName([{ id: 1, name: "hot" }]);
  expect(splitTags("new, hot, new", byName)).toEqual({ ids: [1], unknown: ["new"] });
});
