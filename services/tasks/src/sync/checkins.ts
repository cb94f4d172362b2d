import type * as z from "zod";
import type { SyncAnswer, SyncItem } from "#shared/contract/sync.ts";
import { outdatedError, retryOutdated } from "#shared/database/steps.ts";
import { ApiError, isApiError } from "#shared/error/api-error.ts";
import { isTaken } from "#shared/error/failure.ts";
import type { Call, Operation } from "#shared/operation/declaration.ts";
import { permit, readInput, serializeOutput } from "#shared/operation/run.ts";
import { failedAnswer, replaceResults, storedAnswer } from "#shared/sync/run-items.ts";
import { insertCheckins, type NewCheckin } from "../checkin/insert-queries.ts";
import { toNewCheckin } from "../checkin/new-checkin.ts";
import type { CheckinInput } from "../checkin/schema.ts";
import type { TasksEnv } from "../env.ts";
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
  items: ReadItem[],
  operation: Operation<TasksEnv>,
  answers: Map<SyncItem, SyncAnswer>,
  call: Call<TasksEnv>,
) {
  const { db, principal, clock, actor } = call;
  const context = await readContext(items, call);
  const used = { photos: new Set<number>(), forms: new Set<number>() };
  const accepted: { item: SyncItem; row: NewCheckin }[] = [];
  for (const { item, input } of items) {
    const before = context.done.get(item.uuid);
    if (before) {
      answers.set(item, storedAnswer(operation, before, item, call));
      continue;
    }
    try {
      const row = checkItem({ item, input }, context, used, clock.zone);
      if (accepted.length >= context.quotaLeft) throw new ApiError(268);
      for (const id of row.file_ids) used.photos.add(id);
      if (row.form) used.forms.add(row.form.form_id);
      accepted.push({ item, row });
    } catch (thrown) {
      answers.set(item, failedAnswer(thrown, item, call));
    }
  }
  if (accepted.length === 0) return;
  const [done, rows] = [accepted.map(({ item }) => item), accepted.map(({ row }) => row)];
  const noteStep = insertDoneCheckins(db, principal, done, actor.action_date);
  const ids = await insertCheckins(db, principal, rows, actor, noteStep).catch((thrown) => {
    // Everything was valid a moment ago and no item was done: data changed meanwhile, so read it again.
    throw isTaken(thrown) || (isApiError(thrown) && thrown.code !== 14) ? outdatedError() : thrown;
  });
  for (const [index, item] of done.entries()) {
    answers.set(item, serializeOutput(operation, { id: ids[index] }, clock));
  }
}

/** Reads from the database and from fleet at once. */
async function readContext(items: ReadItem[], { db, env, principal }: Call<TasksEnv>) {
  const inputs = items.map(({ input }) => input);
  const tracker_ids = [...new Set(inputs.map(({ tracker_id }) => tracker_id))];
  const submissions = inputs.flatMap(({ form_submission }) => form_submission ?? []);
  const ids = {
    uuids: items.map(({ item }) => item.uuid),
    tracker_ids,
    file_ids: inputs.flatMap(({ file_ids }) => file_ids),
    form_ids: submissions.map(({ form_id }) => form_id),
  };
  const [rows, trackers] = await Promise.all([
    selectCheckinContext(db, principal, ids),
    env.FLEET.staffedTrackers(principal, tracker_ids),
  ]);
  return { ...rows, trackers: new Map(trackers.map((one) => [one.tracker_id, one])) };
}

/** The check-in to store; throws the error that a single call would answer. */
function checkItem(
  { item, input }: ReadItem,
  context: CheckinContext,
  used: { photos: Set<number>; forms: Set<number> },
  zone: string,
): NewCheckin {
  const { tracker_id, form_submission } = input;
  const tracker = context.removed.has(tracker_id) ? undefined : context.trackers.get(tracker_id);
  const form_id = form_submission?.form_id ?? 0;
  const form = used.forms.has(form_id) ? undefined : context.forms.get(form_id);
  const files = context.files.get(form_id) ?? [];
  const checkin = toNewCheckin(input, { tracker, form: form && { form, files } }, { time: item.time, zone });
  const areUnused = checkin.file_ids.every((id) => context.photos.has(id) && !used.photos.has(id));
  if (!areUnused) throw new ApiError(201);
  return checkin;
}
