import * as z from "zod";
import { countTexts, matchConditions, searchConditions } from "#shared/database/conditions.ts";
import { orderBy, sortOptions } from "#shared/database/order.ts";
import { retryOutdated } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { type ListWindow, listAnswer, pageAt, serializePages } from "#shared/operation/list-answer.ts";
import { requireClosedSpan } from "#shared/time/span.ts";
import { requireChangedLinks, requireLinks, TASK_FEATURE } from "../links/work.ts";
import { operation } from "../operation.ts";
import { searchCircle } from "../search-circle.ts";
import { STATUSES, task as table } from "../table/task/task.ts";
import { countVisibleTasks, MAX_ROWS_PER_PAGE, mergeForm, selectFirstPage, selectNextPage } from "./list-queries.ts";
import { changeTask, insertTask, removeTask, requireForUpdate, storeAssignment } from "./queries.ts";
import {
  applyChanges,
  ChangedTask,
  chooseTemplate,
  ExternalIdCounts,
  NewTask,
  requirePeriod,
  Task,
  toMembers,
  toTask,
} from "./schema.ts";
import { EMPTY_CREW, matchFilters, SEARCH_FIELDS, SORTABLE } from "./search-queries.ts";
import { narrowByTexts } from "./text-queries.ts";

/** Limits the conditions that are not nested in others. */
const MAX_CONDITIONS = 60;

export const createTask = operation("/task/create", {
  summary: "Creates a task, assigned to a tracker or unassigned",
  right: "task_update",
  feature: TASK_FEATURE,
  input: z.object({ task: NewTask, create_form: z.boolean().default(false) }),
  output: z.object({ id: z.int(), external_id_counts: ExternalIdCounts }),
  errors: [201, 236, 268],
  async run({ task, create_form }, { db, env, principal, clock, actor }) {
    requirePeriod(task, clock.now(), "task");
    await requireLinks(env, principal, task, { parameter: "task", missing: 201 });
    const form_template_id = chooseTemplate(create_form, task.form_template_id);
    return insertTask(db, principal, { ...task, form_template_id }, actor);
  },
});

export const updateTask = operation("/task/update", {
  summary: "Changes a task that is unassigned or assigned; what is left out stays, and so does its tracker",
  right: "task_update",
  input: z.object({ task: ChangedTask, create_form: z.boolean().default(false) }),
  output: z.object({ external_id_counts: ExternalIdCounts }),
  errors: [201, 255],
  async run({ task: { id, form_template_id, ...changes }, create_form }, { db, env, principal, clock, actor }) {
    const { tags } = changes;
    const external_id_counts = await retryOutdated(async () => {
      const loading = requireForUpdate(db, principal, "task", id);
      const current = await requireChangedLinks(env, principal, { tags }, { parameter: "task", missing: 201 }, loading);
      const members = applyChanges(toMembers(current), changes);
      requirePeriod(members, clock.now(), "task", current);
      const template = chooseTemplate(create_form, form_template_id);
      return changeTask(db, principal, { id, revision: current.revision, members, tags, template }, actor);
    });
    return { external_id_counts };
  },
});

export const assignTask = operation("/task/assign", {
  summary: "Assigns a task to a tracker; null unassigns it",
  right: "task_update",
  feature: TASK_FEATURE,
  input: z.object({ task_id: z.int(), tracker_id: z.int().nullable() }),
  output: z.object({}),
  errors: [201, 204, 208, 236, 255],
  async run({ task_id, tracker_id }, { db, env, principal, actor }) {
    await requireLinks(env, principal, { tracker_id, tags: [] }, { parameter: "task", missing: 204, blocked: 208 });
    await storeAssignment(db, principal, task_id, tracker_id, actor);
    return {};
  },
});

export const deleteTask = operation("/task/delete", {
  summary: "Deletes a task",
  right: "task_update",
  input: z.object({ task_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ task_id }, { db, principal, actor }) {
    await removeTask(db, principal, task_id, actor);
    return {};
  },
});

export const countTasks = operation("/task/count", {
  summary: "The number of tasks that the caller sees",
  reads: true,
  input: z.object({}),
  output: z.object({ count: z.int() }),
  errors: [],
  async run(_, { db, principal }) {
    return { count: await countVisibleTasks(db, principal) };
  },
});

export const listTasks = operation("/task/list", {
  summary: "The tasks that the caller sees, searched, sorted and in pages; without checkpoints of routes",
  reads: true,
  input: z.object({
    external_id: z.string().max(100).nullable().default(null),
    statuses: z.array(z.enum(STATUSES)).max(100).nullable().default(null),
    trackers: z
      .array(z.int())
      .max(10_000)
      .refine((ids) => new Set(ids).size === ids.length, { error: "must not name one twice" })
      .nullable()
      .default(null),
    from: dateTime().optional(),
    to: dateTime().optional(),
    conditions: searchConditions(MAX_CONDITIONS),
    filter: z.string().max(100).nullable().default(null),
    /** Each text must occur in the label, the description or the address. */
    filters: z.array(z.string().max(255)).max(60).nullable().default(null),
    /** Tasks must carry all of these tags. */
    tag_ids: z.array(z.int()).max(1000).nullable().default(null),
    location: searchCircle(),
    sort: sortOptions(SORTABLE, Object.keys(SORTABLE).length),
    offset: z.int().min(0).default(0),
    limit: z.int().min(0).optional(),
  }),
  output: z.object({ list: z.array(Task), count: z.int() }),
  errors: [211, 212],
  async run({ conditions, sort, limit, offset, ...filters }, { db, env, principal, clock }) {
    if (limit !== undefined && limit > MAX_LISTED_TASKS) throw new ApiError(212);
    requireClosedSpan(filters, env.MAX_SPANS, "tasks", clock.zone);
    // Checks the filters before other services are called, so that their errors are answered first.
    const condition = [
      matchFilters(principal, filters, clock),
      matchConditions(conditions, SEARCH_FIELDS, clock),
      narrowByTexts(principal, conditions, filters.filters),
    ];
    const crew = needsCrew(filters.filter, conditions, sort) ? await env.FLEET.readCrew(principal) : EMPTY_CREW;
    const order = orderBy(sort, SORTABLE, table.id);
    const texts = countTexts(conditions) + (filters.filters?.length ?? 0) + (filters.filter ? 1 : 0);
    const search = { condition, texts, crew, order };
    const { rows, count } = await selectFirstPage(db, principal, { ...search, limit, offset });
    const read = (window: ListWindow) => selectNextPage(db, principal, { ...search, ...window });
    const page = pageAt(
      rows,
      { limit, offset },
      { size: MAX_ROWS_PER_PAGE, read, toItem: (row) => toTask(mergeForm(row)) },
    );
    return listAnswer({ count }, serializePages(Task, page, clock));
  },
});

export const operations = [createTask, updateTask, assignTask, deleteTask, countTasks, listTasks];

/** Whether the search needs employees, which only fleet knows. */
function needsCrew(filter: string | null, conditions: unknown[] | null, sort: string[] | null) {
  return (
    Boolean(filter) ||
    (sort ?? []).some((option) => option.startsWith("employee=")) ||
    JSON.stringify(conditions ?? []).includes('"employee"')
  );
}

const MAX_LISTED_TASKS = 100_000;
