import type { z } from "zod";
import type { SyncAnswer, SyncItem } from "#shared/contract/sync.ts";
import { outdatedError, retryOutdated } from "#shared/database/steps.ts";
import { ApiError, isApiError } from "#shared/error/api-error.ts";
import { isTaken } from "#shared/error/failure.ts";
import type { Call, Operation } from "#shared/operation/declaration.ts";
import { permit, readInput, serializeOutput } from "#shared/operation/run.ts";
import { failedAnswer, replaceResults, storedAnswer } from "#shared/sync/run-items.ts";
import { insertCheckins, type NewCheckin } from "../checkin/insert-queries.ts";
import type { CheckinInput } from "../checkin/schema.ts";
import type { TasksEnv } from "../env.ts";
import { fillInForm } from "../form/submission.ts";
import { requireCheckinTracker, toCheckinEmployee } from "../links/checkin.ts";
import { insertDoneCheckins, selectCheckinContext } from "./checkin-queries.ts";

type ReadItem = { item: SyncItem; input: z.output<typeof CheckinInput> };
/** The rows and trackers that decide on the check-ins of one call. */
type CheckinContext = Awaited<ReturnType<typeof readContext>>;

/**
 * Makes check-ins as single calls would, but in one transaction: each is checked beforehand against what was read, and
 * the transaction demands that this is still so. Employees are those on the trackers now.
 */
export async function runCheckins(
  items: SyncItem[],
  operation: Operation<TasksEnv>,
  earlier: Map<string, SyncAnswer>,
  call: Call<TasksEnv>,
): Promise<SyncAnswer[]> {
  if (items.length === 0) return [];
  const answers = new Map<SyncItem, SyncAnswer>();
  const readable = items.flatMap((item) => {
    try {
      permit(operation, call.principal);
      const typed = replaceResults(item.params, earlier);
      // The operation is `checkin/create`, so this is its input.
      return [{ item, input: readInput(operation, { typed, textual: {} }, call.clock) as ReadItem["input"] }];
    } catch (thrown) {
      answers.set(item, failedAnswer(thrown, item, call));
      return [];
    }
  });
  if (readable.length > 0) await retryOutdated(() => storeCheckins(readable, operation, answers, call));
  return items.map((item) => answers.get(item) ?? failedAnswer(new ApiError(14), item, call));
}

async function storeCheckins(
  given: ReadItem[],
  operation: Operation<TasksEnv>,
  answers: Map<SyncItem, SyncAnswer>,
  call: Call<TasksEnv>,
) {
  const { db, principal, clock, actor } = call;
  const context = await readContext(given, call);
  const used = { photos: new Set<number>(), forms: new Set<number>() };
  const accepted: { item: SyncItem; row: NewCheckin }[] = [];
  for (const { item, input } of given) {
    const before = context.done.get(item.uuid);
    if (before) {
      answers.set(item, storedAnswer(operation, before, item, call));
      continue;
    }
    try {
      const row = judged(input, item.time, context, used, clock.zone);
      if (accepted.length >= context.room) throw new ApiError(268);
      for (const id of row.file_ids) used.photos.add(id);
      if (row.form) used.forms.add(row.form.form_id);
      accepted.push({ item, row });
    } catch (thrown) {
      answers.set(item, failedAnswer(thrown, item, call));
    }
  }
  if (accepted.length === 0) return;
  const [items, rows] = [accepted.map(({ item }) => item), accepted.map(({ row }) => row)];
  const note = insertDoneCheckins(db, principal, items, actor.action_date);
  const ids = await insertCheckins(db, principal, rows, actor, note).catch((thrown) => {
    // Everything was valid a moment ago and no item was done: data changed meanwhile, so read it again.
    throw isTaken(thrown) || (isApiError(thrown) && thrown.code !== 14) ? outdatedError() : thrown;
  });
  for (const [index, item] of items.entries()) {
    answers.set(item, serializeOutput(operation, { id: ids[index] }, clock));
  }
}

/** Reads from the database and from fleet at once. */
async function readContext(given: ReadItem[], { db, env, principal }: Call<TasksEnv>) {
  const inputs = given.map(({ input }) => input);
  const tracker_ids = [...new Set(inputs.map(({ tracker_id }) => tracker_id))];
  const submissions = inputs.flatMap(({ form_submission }) => form_submission ?? []);
  const named = {
    uuids: given.map(({ item }) => item.uuid),
    tracker_ids,
    file_ids: inputs.flatMap(({ file_ids }) => file_ids),
    form_ids: submissions.map(({ form_id }) => form_id),
  };
  const [kept, trackers] = await Promise.all([
    selectCheckinContext(db, principal, named),
    env.FLEET.staffedTrackers(principal, tracker_ids),
  ]);
  return { ...kept, trackers: new Map(trackers.map((one) => [one.tracker_id, one])) };
}

/** The check-in to store; throws the error that a single call would answer. */
function judged(
  { form_submission, file_ids: given, ...input }: ReadItem["input"],
  time: number,
  ground: CheckinContext,
  taken: { photos: Set<number>; forms: Set<number> },
  zone: string,
): NewCheckin {
  const { tracker_id } = input;
  const file_ids = [...new Set(given)];
  const tracker = ground.removed.has(tracker_id) ? undefined : ground.trackers.get(tracker_id);
  requireCheckinTracker(tracker);
  const form = form_submission && filled(form_submission, { tracker_id, time, zone }, ground, taken.forms);
  const areFree = file_ids.every((id) => ground.photos.has(id) && !taken.photos.has(id));
  if (!areFree) throw new ApiError(201);
  return { ...input, ...toCheckinEmployee(tracker), file_ids, marker_time: time, form: form ?? undefined };
}

/** Fills in the form, which must have been issued for the tracker and not be used by an earlier item. */
function filled(
  { form_id, values }: NonNullable<ReadItem["input"]["form_submission"]>,
  { tracker_id, time, zone }: { tracker_id: number; time: number; zone: string },
  { forms, files }: CheckinContext,
  used: Set<number>,
) {
  const form = forms.get(form_id);
  if (!form || form.tracker_id !== tracker_id || used.has(form_id)) throw new ApiError(201);
  const filling = fillInForm(values, { form, files: files.get(form_id) ?? [] }, { now: () => time, zone });
  return { ...filling, form_id, revision: form.revision };
}
