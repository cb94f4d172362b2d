import { expect, test } from "vitest";
import { categoryOf, isCategoryFilter } from "./categories.ts";

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
])("isCategoryFilter(%j) is %s", (filter, expected) => {
  expect(isCategoryFilter(filter)).toBe(expected);
});

test.each([
  [{ event: "inzone", rule_id: 33, extra: { task_id: 5 } }, "history_rule"],
  [{ event: "work_status_change", rule_id: 33, extra: {} }, "history_work_status"],
  [{ event: "service_task_expired", rule_id: 33, extra: { service_task_id: 5 } }, "history_service_task"],
  [{ event: "info", extra: { task_id: 5 } }, "history_task"],
  [{ event: "checkin_creation", extra: { checkin_id: 5 } }, "history_info"],
  [{ event: "tracker_rename", extra: {} }, "history_info"],
] as const)("categoryOf(%j) is %s", (entry, category) => {
  expect(categoryOf(entry)).toBe(category);
});
