import * as z from "zod";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { operation } from "../../operation.ts";
import { LISTED_TYPES, matchFilters } from "../queries.ts";
import { CheckpointSchedule, toCheckpointSchedule } from "../route/schema.ts";
import { requireAnySchedule, selectSchedules } from "./queries.ts";
import { AnySchedule, toAnySchedule } from "./schema.ts";

export const readSchedule = operation("/task/schedule/read", {
  summary: "A schedule of a task or of a checkpoint, or one of a route with its checkpoints",
  reads: true,
  input: z.object({ id: z.int() }),
  output: z.object({
    value: AnySchedule,
    /** The checkpoints of a route, in their order. */
    checkpoints: z.array(CheckpointSchedule).optional(),
  }),
  errors: [201],
  async run({ id }, { db, principal }) {
    const { row, checkpoints } = await requireAnySchedule(db, principal, id);
    const value = toAnySchedule(row);
    return row.type === "route" ? { value, checkpoints: checkpoints.map(toCheckpointSchedule) } : { value };
  },
});

export const listSchedules = operation("/task/schedule/list", {
  summary:
    "The schedules of tasks, or of routes, that the caller sees; a filter by trackers includes schedules without one",
  reads: true,
  input: z.object({
    trackers: z.array(z.int()).max(10_000).nullable().default(null),
    filter: z.string().max(255).nullable().default(null),
    /** Schedules must carry all of these tags. */
    tag_ids: z.array(z.int()).max(1000).nullable().default(null),
    types: z.array(z.enum(LISTED_TYPES)).max(100).default(["task"]),
  }),
  output: z.object({ list: z.array(AnySchedule) }),
  errors: [],
  async run(filters, { db, principal }) {
    return listAnswer({}, await selectSchedules(db, principal, matchFilters(principal, filters)));
  },
});

export const operations = [readSchedule, listSchedules];
