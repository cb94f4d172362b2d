import * as z from "zod";
import { ChangedTask, type PublicTask, requireLocation, Task, TaskWithoutTracker, toTask } from "../schema.ts";

/** Limits the checkpoints of a route. */
export const MAX_CHECKPOINTS = 500;

/** A position from 0; a number beyond the end means the end. */
const order = () => z.int().min(0).max(1_000_000);

/** The tracker is left out: the route has it. */
export const CheckpointMembers = TaskWithoutTracker;
export type CheckpointMembers = z.output<typeof CheckpointMembers>;
export const NewCheckpoint = CheckpointMembers.extend({ parent_id: z.int(), order: order() });
/** Members that are left out stay, also the position in the route. */
export const ChangedCheckpoint = ChangedTask.extend({ order: order().optional() });

export const Checkpoint = Task.extend({
  /** The id of its route. */
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

/** Errors of checkpoints name parameters as errors of tasks do. */
export function reportAsTask(parameter: string) {
  return parameter.replace(/^checkpoints?(\.\d+)?\./, "task.");
}
