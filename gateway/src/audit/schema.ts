import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";
import type { AuditRow } from "../table/audit.ts";

export const Entry = z.object({
  id: z.int(),
  /** The account's master; 0 where an operator acted. */
  user_id: z.int(),
  /** The user who acted: a sub-user or the master; 0 where an operator acted. */
  subuser_id: z.int(),
  entry_category: z.string(),
  entry_id: z.int().nullable(),
  action: z.string(),
  payload: z.record(z.string(), z.unknown()).nullable(),
  host: z.string(),
  user_agent: z.string(),
  action_date: dateTime(),
});

export function toEntry({
  event_id,
  event_type,
  event_tracker_id,
  account_id,
  user_id,
  ...row
}: AuditRow): z.output<typeof Entry> {
  return { ...row, user_id: user_id === 0 ? 0 : account_id, subuser_id: user_id };
}
