import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TestSpecification, Vitest } from "vitest/node";
import { ROOT } from "../../scripts/workers.ts";
import LongFilesFirst, { LONG_FILES } from "./file-order.ts";

const SHORT_FILES = Array.from({ length: 20 }, (_, index) => `shared/short-${index}.test.ts`);
const FILES = [...SHORT_FILES, ...LONG_FILES].map((file) => ({ moduleId: join(ROOT, file) }) as TestSpecification);

async function orderOf(seed: number): Promise<string[]> {
  const sequencer = new LongFilesFirst({ config: { sequence: { seed } } } as Vitest);
  return (await sequencer.sort(FILES)).map(({ moduleId }) => moduleId.slice(ROOT.length + 1));
}

test("long test files run first, and each of them exists", async () => {
  const order = await orderOf(1);
  expect(order.slice(0, LONG_FILES.length).toSorted()).toEqual(LONG_FILES.toSorted());
  expect(LONG_FILES.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test("a seed repeats the order of test files, and another seed gives another one", async () => {
  expect(await orderOf(1)).toEqual(await orderOf(1));
  const [one, other] = [await orderOf(1), await orderOf(2)];
  expect(one.slice(0, LONG_FILES.length)).not.toEqual(other.slice(0, LONG_FILES.length));
  expect(one.slice(LONG_FILES.length)).not.toEqual(other.slice(LONG_FILES.length));
});
