import * as z from "zod";
import { listAnswer, serializePages } from "#shared/operation/list-answer.ts";
import { operation } from "../../operation.ts";
import { selectHistory } from "./queries.ts";
import { HistoryEntry } from "./schema.ts";

export const listTaskHistory = operation("/task/history/list", {
  summary: "The history of a task, a route or a checkpoint, oldest first",
  reads: true,
  input: z.object({ task_id: z.int() }),
  output: z.object({ list: z.array(HistoryEntry) }),
  errors: [201],
  async run({ task_id }, { db, principal, clock }) {
    const page = await selectHistory(db, principal, task_id);
    return listAnswer({}, serializePages(HistoryEntry, page, clock));
  },
});

export const operations = [listTaskHistory];
