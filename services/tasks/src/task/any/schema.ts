import * as z from "zod";
import { Checkpoint, toCheckpoint } from "../checkpoint/schema.ts";
import { Route, type ShownRoute, toRoute } from "../route/schema.ts";
import { Task, toTask } from "../schema.ts";

/** Tasks, checkpoints and routes share one table and its ids. */
export const AnyTask = z.discriminatedUnion("type", [Task, Checkpoint, Route]);
export type AnyTask = z.output<typeof AnyTask>;

export function toAnyTask(row: ShownRoute): AnyTask {
  if (row.type === "route") return toRoute(row);
  const { checkpoint_ids, ...shown } = row;
  return row.type === "checkpoint" ? toCheckpoint(shown) : toTask(shown);
}
