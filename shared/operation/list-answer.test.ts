import { expect, test } from "vitest";
import { listAnswer, type Page, resultAnswer } from "./list-answer.ts";

/** The items in pages of so many. */
function toPages<Item>(items: Item[], size: number, read: () => void = () => undefined): Page<Item> {
  read();
  const rest = items.slice(size);
  return { items: items.slice(0, size), next: rest.length > 0 ? async () => toPages(rest, size, read) : undefined };
}

async function readAnswer(answer: object | Response) {
  return answer instanceof Response ? answer.json() : { success: true, ...answer };
}

test.each([
  [[], 2],
  [[1, 2], 2],
  [[1, 2, 3, 4, 5], 2],
])("listAnswer writes a list of %j in pages of %d whole", async (items, size) => {
  expect(await readAnswer(listAnswer({ count: 9 }, toPages(items, size)))).toEqual({
    success: true,
    count: 9,
    list: items,
  });
  expect(await readAnswer(listAnswer({}, toPages(items, size)))).toEqual({ success: true, list: items });
});

test("listAnswer leaves no trace of empty pages", async () => {
  const page: Page<number> = {
    items: [],
    next: async () => ({ items: [1], next: async () => ({ items: [], next: async () => ({ items: [2] }) }) }),
  };
  expect(await readAnswer(listAnswer({}, page))).toEqual({ success: true, list: [1, 2] });
});

test("resultAnswer puts several lists under their names in one result, with one page or many", async () => {
  const few = { vehicle: toPages([{ id: 1 }], 5), tracker: toPages([], 5) };
  expect(resultAnswer(few)).toEqual({ result: { vehicle: [{ id: 1 }], tracker: [] } });
  const many = { vehicle: toPages([1, 2, 3], 2), 'the "other"': toPages([4], 2), employee: toPages([5, 6, 7], 1) };
  expect(await readAnswer(resultAnswer(many))).toEqual({
    success: true,
    result: { vehicle: [1, 2, 3], 'the "other"': [4], employee: [5, 6, 7] },
  });
});

test("listAnswer reads a page when it is wanted, and none after the reader has left", async () => {
  let read = 0;
  const answer = listAnswer(
    {},
    toPages([1, 2, 3, 4], 1, () => read++),
  );
  if (!(answer instanceof Response) || !answer.body) throw new Error("a stream was expected");
  const reader = answer.body.getReader();
  await reader.read();
  await reader.read();
  expect(read).toBeLessThan(4);
  const before = read;
  await reader.cancel();
  expect(read).toBe(before);
});
