import { expect, test } from "vitest";
import { ApiError } from "../error/api-error.ts";
import { STEPS_PER_SLICE, WorkBudget } from "./work-budget.ts";

test("a WorkBudget pauses after each slice of steps, and not within one", async () => {
  let pauses = 0;
  const pause = async () => {
    pauses++;
  };
  const budget = new WorkBudget({ limit: Number.POSITIVE_INFINITY, pause });
  const after: number[] = [];
  for (let step = 0; step < 10; step++) {
    await budget.spend(STEPS_PER_SLICE / 4);
    after.push(pauses);
  }
  expect(after).toEqual([0, 0, 0, 1, 1, 1, 1, 2, 2, 2]);
});

test("a WorkBudget lets events in between: a loop over two slices ends after an event that waits at its start", async () => {
  const order: string[] = [];
  setTimeout(() => order.push("event"), 0);
  const budget = new WorkBudget({ limit: Number.POSITIVE_INFINITY });
  for (let slice = 0; slice < 2; slice++) await budget.spend(STEPS_PER_SLICE);
  order.push("loop");
  expect(order).toEqual(["event", "loop"]);
});

test("a WorkBudget throws beyond its limit, 267 unless the operation has an error of its own", () => {
  const budget = new WorkBudget({ limit: 10 });
  expect(budget.spend(10)).toBeUndefined();
  expect(() => budget.spend(1)).toThrow(expect.objectContaining({ code: 267 }));
  const other = new WorkBudget({ limit: 10, error: () => new ApiError(7) });
  expect(() => other.spend(11)).toThrow(expect.objectContaining({ code: 7 }));
});
