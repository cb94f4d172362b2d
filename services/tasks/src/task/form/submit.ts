import * as z from "zod";
import { retryOutdated } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import type { TasksEnv } from "../../env.ts";
import { NewPosition } from "../../form/schema.ts";
import { fillInForm } from "../../form/submission.ts";
import { formValues } from "../../form/values.ts";
import { requireTaskForms, type TaskForm } from "./queries.ts";
import { requireEditable } from "./require-editable.ts";
import { type LocationContext, readLocationContexts, resolveSubmissionLocation } from "./submission-location.ts";
import { storeSubmissions, type TaskFormSubmission } from "./submission-queries.ts";

export const SubmissionInput = z.object({
  task_id: z.int(),
  values: formValues(),
  /** Where it is submitted: within the task's circle if the form demands it. By default the tracker's last position. */
  location: NewPosition.optional(),
});
/** A submission with its time in UTC milliseconds. */
export type TimedSubmission = z.output<typeof SubmissionInput> & { submitted: number };

/** Submits the forms of different tasks: all of them, or none. */
export async function submitForms(submissions: TimedSubmission[], call: Call<TasksEnv>) {
  const { db, env, principal, actor } = call;
  if (principal.demo) throw new ApiError(101);
  await retryOutdated(async () => {
    const [forms, contexts] = await Promise.all([
      requireTaskForms(
        db,
        principal,
        submissions.map(({ task_id }) => task_id),
      ),
      readLocationContexts(
        env,
        principal,
        submissions.map(({ location }) => location),
      ),
    ]);
    const prepared = await Promise.all(
      submissions.map((one, index) => prepareSubmission(one, forms[index], contexts[index], call)),
    );
    await storeSubmissions(db, principal, prepared, actor);
  });
}

/** Checks a submission against its form and task; answers the row to store. */
async function prepareSubmission(
  { task_id, values, location, submitted }: TimedSubmission,
  taskForm: TaskForm | undefined,
  context: LocationContext | undefined,
  { env, principal, clock }: Call<TasksEnv>,
): Promise<TaskFormSubmission> {
  if (!taskForm?.form || taskForm.form_revision === null || !context) throw new ApiError(201);
  const { form, task, files, form_revision: revision, submit_areas } = taskForm;
  requireEditable(task, principal);
  const submissionLocation = await resolveSubmissionLocation(env, { form, task, location, submit_areas }, context);
  const filling = fillInForm(values, { form, files }, { zone: clock.zone, now: () => submitted });
  return { ...filling, ...submissionLocation, submitted, task_id, status: task.status, form_id: form.id, revision };
}
