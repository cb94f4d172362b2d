import { z } from "zod";
import { retryOutdated } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import type { TasksEnv } from "../../env.ts";
import { NewSpot } from "../../form/schema.ts";
import { fillIn } from "../../form/submission.ts";
import { formValues } from "../../form/values.ts";
import { requireOpen } from "./open.ts";
import { foreknow, type PlaceForeknown, placeOfSubmission } from "./place.ts";
import { requireTaskForms, type TaskForm } from "./queries.ts";
import { type Submitting, storeSubmissions } from "./submission-queries.ts";

export const SubmissionInput = z.object({
  task_id: z.int(),
  values: formValues(),
  /** Where it is submitted: within the zone of the task, if the form asks for that. By default where the tracker was last. */
  location: NewSpot.optional(),
});
/** With the moment of the submission. */
export type TimedSubmission = z.output<typeof SubmissionInput> & { submitted: number };

/** The forms of different tasks: all of them, or none. */
export async function submitForms(given: TimedSubmission[], call: Call<TasksEnv>) {
  const { db, env, principal, actor } = call;
  if (principal.demo) throw new ApiError(101);
  await retryOutdated(async () => {
    const [found, foreknown] = await Promise.all([
      requireTaskForms(
        db,
        principal,
        given.map(({ task_id }) => task_id),
      ),
      foreknow(
        env,
        principal,
        given.map(({ location }) => location),
      ),
    ]);
    const submissions = await Promise.all(given.map((one, index) => judged(one, found[index], foreknown[index], call)));
    await storeSubmissions(db, principal, submissions, actor);
  });
}

/** What is to be stored of one. */
async function judged(
  { task_id, values, location, submitted }: TimedSubmission,
  found: TaskForm | undefined,
  foreknown: PlaceForeknown | undefined,
  { env, principal, clock }: Call<TasksEnv>,
): Promise<Submitting> {
  if (!found?.form || found.form_revision === null || !foreknown) throw new ApiError(201);
  const { form, task, files, form_revision: revision, submit_areas } = found;
  requireOpen(task, principal);
  const place = await placeOfSubmission(env, { form, task, location, submit_areas }, foreknown);
  const filling = fillIn(values, { form, files }, { zone: clock.zone, now: () => submitted });
  return { ...filling, ...place, submitted, task_id, status: task.status, form_id: form.id, revision };
}
