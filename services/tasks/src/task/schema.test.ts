import { expect, test } from "vitest";
import { requirePeriod } from "./schema.ts";

const NOW = Date.parse("2026-11-20T08:00:00Z");
const past = { from: NOW - 7_200_000, to: NOW - 3_600_000 };

function refusalOf(check: () => void) {
  try {
    check();
  } catch (thrown) {
    return (thrown as { extra: { errors: { parameter: string }[] } }).extra.errors[0]?.parameter;
  }
  return undefined;
}

test("requirePeriod refuses a new end in the past, to the second, and keeps an old one", () => {
  expect(refusalOf(() => requirePeriod(past, NOW, "task"))).toBe("task.to");
  expect(refusalOf(() => requirePeriod(past, NOW, "task", past))).toBeUndefined();
  // Callers send back the end without milliseconds, as they read it.
  expect(refusalOf(() => requirePeriod(past, NOW, "task", { ...past, to: past.to + 999 }))).toBeUndefined();
  expect(refusalOf(() => requirePeriod(past, NOW, "task", { ...past, to: past.to + 1000 }))).toBe("task.to");
});

test("requirePeriod refuses a beginning behind the end, also when only one of them is new", () => {
  const wrong = { from: NOW + 2, to: NOW + 1 };
  expect(refusalOf(() => requirePeriod(wrong, NOW, "task", { from: NOW, to: NOW + 1 }))).toBe("task.from");
});
