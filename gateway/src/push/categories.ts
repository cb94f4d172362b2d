/** What a notification can be about. */
export const PUSH_CATEGORIES = [
  "chat_message",
  "history_rule",
  "history_task",
  "history_info",
  "history_service_task",
  "history_work_status",
] as const;
export type PushCategory = (typeof PUSH_CATEGORIES)[number];

/** `*`, a list of categories, or a minus sign before a list of those that are not wanted. */
export function isCategoryFilter(filter: string): boolean {
  return filter === "*" || listed(filter).every((name) => PUSH_CATEGORIES.some((known) => known === name));
}

export function wantsCategory(filter: string, category: PushCategory): boolean {
  return filter === "*" || listed(filter).includes(category) !== filter.startsWith("-");
}

function listed(filter: string) {
  return filter.replace(/^-/, "").split(",");
}
