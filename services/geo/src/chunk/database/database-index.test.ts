import { expect, test } from "vitest";
import { databaseIndexOf, parseStarts } from "./database-index.ts";

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const indexesOf = (ids: number[], starts: number[]) => ids.map((id) => databaseIndexOf(id, starts));

test("a tracker stays where it began, however many databases come later", () => {
  const lists = [[], [1000], [1000, 5000], [1000, 5000, 5000, 9000]];
  for (const [index, starts] of lists.entries()) {
    for (const longer of lists.slice(index + 1)) {
      const before = range(1, (longer[starts.length] ?? 0) - 1);
      expect(indexesOf(before, longer)).toEqual(indexesOf(before, starts));
    }
  }
});

test("new trackers are spread over all existing databases, as many in each", () => {
  expect(indexesOf(range(1, 999), [1000, 5000])).not.toContain(1);
  expect(Map.groupBy(indexesOf(range(1000, 4999), [1000, 5000]), (index) => index).get(1)).toHaveLength(2000);
  const counts = [...Map.groupBy(indexesOf(range(5000, 7999), [1000, 5000]), (index) => index).values()];
  expect(counts.map(({ length }) => length)).toEqual([1000, 1000, 1000]);
});

test("a missing list of databases means one database", () => {
  expect(parseStarts(undefined)).toEqual([]);
  expect(parseStarts("")).toEqual([]);
  expect(parseStarts("1000,5000")).toEqual([1000, 5000]);
  expect(indexesOf([1, 2, 3], [])).toEqual([0, 0, 0]);
});
