import type { Scope } from "#shared/caller/principal.ts";
import { type Changes, MAX_CHANGES_PER_PAGE, MAX_TEMPLATES_PER_PAGE } from "./queries.ts";

/**
 * Cuts the page at the first key whose items were cut off by their bytes or number. Changed items that the caller
 * cannot read any more are answered as removed.
 */
export function toPage({ window, tasks, templates }: Changes, scope: Scope) {
  const last = window.at(-1)?.key;
  const cutTasks = tasks.length < (tasks[0]?.candidates ?? 0) ? tasks.at(-1)?.key : undefined;
  const cutTemplates =
    templates.length > MAX_TEMPLATES_PER_PAGE ? templates[MAX_TEMPLATES_PER_PAGE - 1]?.key : undefined;
  const end = Math.min(...[last, cutTasks, cutTemplates].map((key) => key ?? Number.POSITIVE_INFINITY));
  const isOnPage = ({ key }: { key: number }) => key <= end;

  const trackers = scope === "all" ? undefined : new Set(scope);
  const visible = window.filter(({ tracker_id }) => tracker_id === 0 || !trackers || trackers.has(tracker_id));
  const lastKeys = new Map(window.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  const there = new Set([
    ...tasks.map(({ row }) => `task ${row.id}`),
    ...templates.map(({ template }) => `form_template ${template.id}`),
  ]);
  const gone = (kind: string) => {
    const changed = visible.filter((one) => one.kind === kind && (lastKeys.get(`${kind} ${one.id}`) ?? 0) <= end);
    return [...new Set(changed.map(({ id }) => id))].filter((id) => !there.has(`${kind} ${id}`));
  };
  return {
    tasks: tasks.filter(isOnPage),
    templates: templates.filter(isOnPage).map(({ template }) => template),
    removed: { tasks: gone("task"), form_templates: gone("form_template") },
    /** The last key of the page; undefined when there was nothing to read. */
    end: last === undefined ? undefined : end,
    isLast: window.length < MAX_CHANGES_PER_PAGE && (last === undefined || end === last),
  };
}
