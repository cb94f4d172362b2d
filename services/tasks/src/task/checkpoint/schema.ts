import { z } from "zod";
import { ChangedTask, type PublicTask, requireLocation, Task, TaskWithoutTracker, toTask } from "../schema.ts";

/** As many as a route may have. */
export const MAX_CHECKPOINTS = 500;

/** From 0; behind the end is the end. */
const order = () => z.int().min(0).max(1_000_000);

/** What a route is made of: a task without a tracker, which the route has. */
export const CheckpointMembers = TaskWithoutTracker;
export type CheckpointMembers = z.output<typeof CheckpointMembers>;
export const NewCheckpoint = CheckpointMembers.extend({ parent_id: z.int(), order: order() });
/** What update takes: what is left out stays, also its place in the route. */
export const ChangedCheckpoint = ChangedTask.extend({ order: order().optional() });

export const Checkpoint = Task.extend({
  /** Its route. */
  parent_id: z.int(),
  order: z.int(),
  type: z.literal("checkpoint"),
});
export type Checkpoint = z.output<typeof Checkpoint>;

export function toCheckpoint(row: PublicTask): Checkpoint {
  const { parent_id, order } = row;
  if (parent_id === null || order === null) throw new Error("a checkpoint was expected");
  return { ...toTask(row), location: requireLocation(row.location), parent_id, order, type: "checkpoint" };
}

/** Callers are told what is wrong with a checkpoint as with a task. */
export function reportAsTask(parameter: string) {
  return parameter.replace(/^checkpoints?(\.\d+)?\./, "task.");
}
