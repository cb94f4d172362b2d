import type { z } from "zod";
import type { Call } from "#shared/operation/declaration.ts";
import type { ItemInput, ItemRule } from "#shared/sync/run-items.ts";
import { createCheckinForm } from "./checkin/form/operations.ts";
import { createCheckin } from "./checkin/operations.ts";
import type { TasksEnv } from "./env.ts";
import { onceEmpty, onceForm } from "./sync/done-queries.ts";
import type { ItemRules } from "./sync/operations.ts";
import { createTaskForm, updateTaskFormValues } from "./task/form/operations.ts";
import { type SubmissionInput, submitForms } from "./task/form/submit.ts";

/** What items of `sync/push` may ask for. */
export const ITEM_RULES: ItemRules = {
  checkin: createCheckin,
  own: new Map<string, ItemRule<TasksEnv>>([
    [createTaskForm.path, { operation: createTaskForm, once: onceEmpty }],
    [
      updateTaskFormValues.path,
      { operation: updateTaskFormValues, once: onceEmpty, together: { most: 50, isApart: false, run: submitAll } },
    ],
    [createCheckinForm.path, { operation: createCheckinForm, once: onceForm }],
  ]),
  fleet: ["/driver/journal/entry/create", "/status/tracker/assign"],
};

function submitAll(items: ItemInput[], call: Call<TasksEnv>) {
  // It is the operation's own input.
  const given = items.map(({ input, time }) => ({ ...(input as z.output<typeof SubmissionInput>), submitted: time }));
  // What corrects a form is held against what was submitted before.
  if (new Set(given.map(({ task_id }) => task_id)).size < given.length) return undefined;
  return submitForms(given, call).then(() => items.map(() => ({})));
}
