import type { ItemRule } from "#shared/sync/run-items.ts";
import { createCheckinForm } from "./checkin/form/operations.ts";
import { createCheckin } from "./checkin/operations.ts";
import type { TasksEnv } from "./env.ts";
import { onceEmpty, onceForm } from "./sync/done-queries.ts";
import type { ItemRules } from "./sync/operations.ts";
import { createTaskForm, updateTaskFormValues } from "./task/form/operations.ts";

/** What items of `sync/push` may ask for. */
export const ITEM_RULES: ItemRules = {
  checkin: createCheckin,
  own: new Map<string, ItemRule<TasksEnv>>([
    [createTaskForm.path, { operation: createTaskForm, once: onceEmpty }],
    [updateTaskFormValues.path, { operation: updateTaskFormValues, once: onceEmpty }],
    [createCheckinForm.path, { operation: createCheckinForm, once: onceForm }],
  ]),
  fleet: ["/driver/journal/entry/create", "/status/tracker/assign"],
};
