import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TestSpecification, Vitest } from "vitest/node";
import { ROOT } from "../../scripts/workers.ts";
import LongFilesFirst, { LONG_FILES, WAITING_FILES } from "./file-order.ts";

const SHORT_FILES = Array.from({ length: 20 }, (_, index) => `shared/short-${index}.test.ts`);
const FIRST_FILES = [...LONG_FILES, ...WAITING_FILES];
const FILES = [...SHORT_FILES, ...FIRST_FILES].map((file) => ({ moduleId: join(ROOT, file) }) as TestSpecification);

async function orderOf(seed: number): Promise<string[]> {
  const sequencer = new LongFilesFirst({ config: { sequence: { seed } } } as Vitest);
  return (await sequencer.sort(FILES)).map(({ moduleId }) => moduleId.slice(ROOT.length + 1));
}

test("long test files run first, and each of them exists", async () => {
  const order = await orderOf(1);
  expect(order.toSorted()).toEqual([...SHORT_FILES, ...FIRST_FILES].toSorted());
  expect(order.slice(0, FIRST_FILES.length).toSorted()).toEqual(FIRST_FILES.toSorted());
  expect(FIRST_FILES.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test("other test files come between long ones that wait", async () => {
  const order = await orderOf(1);
  const places = WAITING_FILES.map((file) => order.indexOf(file)).toSorted((one, other) => one - other);
  const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(2);
});

test("a seed repeats the order of test files, and another seed gives another one", async () => {
  expect(await orderOf(1)).toEqual(await orderOf(1));
  const [one, other] = [await orderOf(1), await orderOf(2)];
  expect(one.slice(0, FIRST_FILES.length)).not.toEqual(other.slice(0, FIRST_FILES.length));
  expect(one.slice(FIRST_FILES.length)).not.toEqual(other.slice(FIRST_FILES.length));
});
