import * as z from "zod";
import { retryOutdated } from "#shared/database/steps.ts";
import { listAnswer, serializePages } from "#shared/operation/list-answer.ts";
import { findTrackersWithoutFeature, requireChangedLinks, TASK_FEATURE } from "../../links/work.ts";
import { operation } from "../../operation.ts";
import { requireForUpdate } from "../queries.ts";
import { applyChanges, chooseTemplate, ExternalIdCounts, requirePeriod, toMembers } from "../schema.ts";
import { selectCheckpoints } from "./list-queries.ts";
import { changeCheckpoint, convertToTask, insertCheckpoint, removeCheckpoint, requireCheckpoint } from "./queries.ts";
import { ChangedCheckpoint, Checkpoint, NewCheckpoint, reportAsTask } from "./schema.ts";

export const createCheckpoint = operation("/task/checkpoint/create", {
  summary: "Adds a checkpoint to a route at its position; later checkpoints move by one",
  right: "task_update",
  feature: TASK_FEATURE,
  input: z.object({ checkpoint: NewCheckpoint, create_form: z.boolean().default(false) }),
  reportedAs: reportAsTask,
  output: z.object({ id: z.int(), external_id_counts: ExternalIdCounts }),
  errors: [201, 236, 268],
  async run({ checkpoint, create_form }, { db, env, principal, clock, actor }) {
    requirePeriod(checkpoint, clock.now(), "task");
    const lacking = await findTrackersWithoutFeature(env, principal, checkpoint.tags);
    const { form_template_id, ...members } = checkpoint;
    const template = chooseTemplate(create_form, form_template_id) ?? undefined;
    return insertCheckpoint(db, principal, { ...members, template }, lacking, actor);
  },
});

export const updateCheckpoint = operation("/task/checkpoint/update", {
  summary:
    "Changes a checkpoint that is unassigned or assigned; what is left out stays. Another order moves the other checkpoints",
  right: "task_update",
  input: z.object({ checkpoint: ChangedCheckpoint, create_form: z.boolean().default(false) }),
  reportedAs: reportAsTask,
  output: z.object({ external_id_counts: ExternalIdCounts }),
  errors: [201, 255],
  async run({ checkpoint, create_form }, { db, env, principal, clock, actor }) {
    const { id, form_template_id, order, ...changes } = checkpoint;
    const { tags } = changes;
    const external_id_counts = await retryOutdated(async () => {
      const loading = requireForUpdate(db, principal, "checkpoint", id);
      const current = await requireChangedLinks(env, principal, { tags }, { parameter: "task", missing: 201 }, loading);
      const members = applyChanges(toMembers(current), changes);
      requirePeriod(members, clock.now(), "task", current);
      const template = chooseTemplate(create_form, form_template_id);
      return changeCheckpoint(db, principal, { id, revision: current.revision, members, tags, order, template }, actor);
    });
    return { external_id_counts };
  },
});

export const deleteCheckpoint = operation("/task/checkpoint/delete", {
  summary: "Deletes a checkpoint; a route is deleted with its last checkpoint",
  right: "task_update",
  input: z.object({ checkpoint_id: z.int() }),
  output: z.object({}),
  errors: [201, 255],
  async run({ checkpoint_id }, { db, principal, actor }) {
    await removeCheckpoint(db, principal, checkpoint_id, actor);
    return {};
  },
});

export const transmuteCheckpoint = operation("/task/checkpoint/transmute", {
  summary: "Turns a checkpoint into a task; a route is deleted with its last checkpoint",
  right: "task_update",
  input: z.object({ checkpoint_id: z.int() }),
  output: z.object({}),
  errors: [201, 255],
  async run({ checkpoint_id }, { db, principal, actor }) {
    await convertToTask(db, principal, checkpoint_id, actor);
    return {};
  },
});

export const readCheckpoint = operation("/task/checkpoint/read", {
  summary: "A checkpoint",
  reads: true,
  input: z.object({ checkpoint_id: z.int() }),
  output: z.object({ value: Checkpoint }),
  errors: [201],
  async run({ checkpoint_id }, { db, principal }) {
    return { value: await requireCheckpoint(db, principal, checkpoint_id) };
  },
});

export const listCheckpoints = operation("/task/checkpoint/list", {
  summary: "The checkpoints with these ids; unknown ids are skipped",
  reads: true,
  input: z.object({ checkpoint_ids: z.array(z.int()).min(1).max(10_000) }),
  output: z.object({ list: z.array(Checkpoint), count: z.int() }),
  errors: [],
  async run({ checkpoint_ids }, { db, principal, clock }) {
    const { count, page } = await selectCheckpoints(db, principal, checkpoint_ids);
    return listAnswer({ count }, serializePages(Checkpoint, page, clock));
  },
});

export const operations = [
  createCheckpoint,
  updateCheckpoint,
  deleteCheckpoint,
  transmuteCheckpoint,
  readCheckpoint,
  listCheckpoints,
];
