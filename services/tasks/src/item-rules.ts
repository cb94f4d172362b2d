import type * as z from "zod";
import type { Call } from "#shared/operation/declaration.ts";
import type { ItemInput, ItemRule } from "#shared/sync/run-items.ts";
import { type CheckinFormInput, createCheckinForm, createCheckinForms } from "./checkin/form/operations.ts";
import { createCheckin } from "./checkin/operations.ts";
import type { TasksEnv } from "./env.ts";
import { storeEmptyAnswers, storeFormIds } from "./sync/done-queries.ts";
import type { ItemRules } from "./sync/operations.ts";
import { createTaskForm, type TaskFormInput, updateTaskFormValues } from "./task/form/operations.ts";
import { attachForms } from "./task/form/queries.ts";
import { type SubmissionInput, submitForms } from "./task/form/submit.ts";

/** The operations that items of `sync/push` may name. */
export const ITEM_RULES: ItemRules = {
  checkin: createCheckin,
  own: new Map<string, ItemRule<TasksEnv>>([
    [
      createTaskForm.path,
      {
        operation: createTaskForm,
        storeAnswersIn: storeEmptyAnswers,
        together: { maxItems: 200, subjectOf: toTaskId, run: issueTaskForms },
      },
    ],
    [
      updateTaskFormValues.path,
      {
        operation: updateTaskFormValues,
        storeAnswersIn: storeEmptyAnswers,
        together: { maxItems: 50, subjectOf: toTaskId, run: submitTaskForms },
      },
    ],
    [
      createCheckinForm.path,
      {
        operation: createCheckinForm,
        storeAnswersIn: storeFormIds,
        together: { maxItems: 200, subjectOf: () => null, run: issueCheckinForms },
      },
    ],
  ]),
  fleet: ["/driver/journal/entry/create", "/status/tracker/assign"],
};

/** Items of one task keep their order: its form is issued, submitted and corrected in turn. */
function toTaskId({ task_id }: Record<string, unknown>) {
  return String(task_id);
}

// `runItems` has parsed each input by the schema of its operation.

async function issueTaskForms(items: ItemInput[], { db, principal, actor }: Call<TasksEnv>) {
  const inputs = items.map(({ input }) => input as z.output<typeof TaskFormInput>);
  await attachForms(db, principal, inputs, actor);
  return items.map(() => ({}));
}

async function submitTaskForms(items: ItemInput[], call: Call<TasksEnv>) {
  const inputs = items.map(({ input, time }) => ({ ...(input as z.output<typeof SubmissionInput>), submitted: time }));
  await submitForms(inputs, call);
  return items.map(() => ({}));
}

async function issueCheckinForms(items: ItemInput[], call: Call<TasksEnv>) {
  const inputs = items.map(({ input }) => input as z.output<typeof CheckinFormInput>);
  const ids = await createCheckinForms(inputs, call);
  return ids.map((id) => ({ id }));
}
