import * as z from "zod";
import { serializePages, streamList } from "#shared/operation/list-answer.ts";
import { operation } from "../../operation.ts";
import { Checkpoint } from "../checkpoint/schema.ts";
import { requireAnyTask } from "./queries.ts";
import { AnyTask, toAnyTask } from "./schema.ts";

export const readTask = operation("/task/read", {
  summary: "A task, a checkpoint, or a route with its checkpoints",
  reads: true,
  input: z.object({ task_id: z.int() }),
  output: z.object({
    value: AnyTask,
    /** The checkpoints of a route, in their order. */
    checkpoints: z.array(Checkpoint).optional(),
  }),
  errors: [201],
  async run({ task_id }, { db, principal, clock }) {
    const { row, checkpoints } = await requireAnyTask(db, principal, task_id);
    if (row.type !== "route") return { value: toAnyTask(row) };
    if (!checkpoints.next) return { value: toAnyTask(row), checkpoints: checkpoints.items };
    const {
      items: [value],
    } = serializePages(AnyTask, { items: [toAnyTask(row)] }, clock);
    return streamList({ value }, serializePages(Checkpoint, checkpoints, clock), "checkpoints");
  },
});

export const operations = [readTask];
