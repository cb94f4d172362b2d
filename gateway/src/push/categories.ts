import type { HistoryEntry } from "#shared/contract/event/event.ts";
import { PUSH_CATEGORIES } from "../table/push/push-event.ts";

export type PushCategory = (typeof PUSH_CATEGORIES)[number];

/** True for `*`, a list of categories, or a minus sign in front of a list of unwanted ones. */
export function isCategoryFilter(filter: string): boolean {
  return filter === "*" || toCategoryNames(filter).every((name) => PUSH_CATEGORIES.some((known) => known === name));
}

/** The category of an event; the first that fits, so that a rule on work statuses gives `history_work_status`. */
export function categoryOf({ event, rule_id, extra }: Pick<HistoryEntry, "event" | "rule_id" | "extra">): PushCategory {
  if (event === "work_status_change") return "history_work_status";
  if (event.startsWith("service_task_")) return "history_service_task";
  if (rule_id !== undefined) return "history_rule";
  if (extra.task_id !== undefined) return "history_task";
  return "history_info";
}

function toCategoryNames(filter: string) {
  return filter.replace(/^-/, "").split(",");
}
