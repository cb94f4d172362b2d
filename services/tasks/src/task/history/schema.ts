import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";
import type { taskHistory } from "../../table/task/task-history.ts";
import { OPERATIONS } from "../../table/task/task-history.ts";

export const HistoryEntry = z.object({
  id: z.int(),
  /** The user who made the change; the master for changes by sweeps and visits. */
  user_id: z.int(),
  task_id: z.int(),
  event_date: dateTime(),
  operation: z.enum(OPERATIONS),
  /** All members of the task at its creation, later those that changed. */
  payload: z.looseObject({
    from: dateTime().optional(),
    to: dateTime().optional(),
    creation_date: dateTime().optional(),
    status_change_date: dateTime().optional(),
    arrival_date: dateTime().nullable().optional(),
  }),
});
export type HistoryEntry = z.output<typeof HistoryEntry>;

export function toEntry({ account_id, event_id, ...row }: typeof taskHistory.$inferSelect): HistoryEntry {
  return row;
}
