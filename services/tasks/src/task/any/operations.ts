import { z } from "zod";
import { operation } from "../../operation.ts";
import { Checkpoint, toCheckpoint } from "../checkpoint/schema.ts";
import { requireAny } from "../list-queries.ts";
import { AnyTask, toAny } from "./schema.ts";

export const readTask = operation("/task/read", {
  summary: "A task, a checkpoint, or a route with its checkpoints",
  reads: true,
  input: z.object({ task_id: z.int() }),
  output: z.object({
    value: AnyTask,
    /** Of a route, in order. */
    checkpoints: z.array(Checkpoint).optional(),
  }),
  errors: [201],
  async run({ task_id }, { db, principal }) {
    const { row, checkpoints } = await requireAny(db, principal, task_id);
    return { value: toAny(row), ...(row.type === "route" ? { checkpoints: checkpoints.map(toCheckpoint) } : {}) };
  },
});

export const operations = [readTask];
