import { expect, test } from "vitest";
import { isCategoryFilter, wantsCategory } from "./categories.ts";

test.each([
  ["*", true],
  ["history_rule", true],
  ["history_rule,history_task", true],
  ["-history_task,history_rule", true],
  ["", false],
  ["-", false],
  ["-*", false],
  ["history_rule,", false],
  ["history_rule,-history_task", false],
  ["history_rule, history_task", false],
  ["weather", false],
])("%j is a filter: %s", (filter, expected) => {
  expect(isCategoryFilter(filter)).toBe(expected);
});

test("a list allows what is on it, a list after a minus sign what is not, an asterisk all", () => {
  expect(wantsCategory("*", "chat_message")).toBe(true);
  expect(wantsCategory("history_rule,history_task", "history_task")).toBe(true);
  expect(wantsCategory("history_rule,history_task", "history_info")).toBe(false);
  expect(wantsCategory("-history_rule,history_task", "history_task")).toBe(false);
  expect(wantsCategory("-history_rule,history_task", "history_info")).toBe(true);
});
