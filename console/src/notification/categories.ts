/** Categories of notifications that this installation sends, in the order in which they are offered. */
export const CATEGORIES = [
  "history_rule",
  "history_task",
  "history_service_task",
  "history_work_status",
  "history_info",
] as const;
export type Category = (typeof CATEGORIES)[number];

const ALL = "*";

/** The categories of a filter: `*`, a list, or a minus sign before a list of unwanted ones. */
export function parseFilter(filter: string): Category[] {
  if (filter === ALL) return [...CATEGORIES];
  const isUnwanted = filter.startsWith("-");
  const listed = new Set(filter.replace(/^-/, "").split(","));
  return CATEGORIES.filter((category) => listed.has(category) !== isUnwanted);
}

/** The filter of some categories; all of them include the ones of later releases. */
export function toFilter(categories: readonly Category[]): string {
  return categories.length === CATEGORIES.length ? ALL : categories.join(",");
}
