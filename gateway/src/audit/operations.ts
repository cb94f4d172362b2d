import * as z from "zod";
import { sortOptions } from "#shared/database/order.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { retentionStart } from "#shared/time/retention.ts";
import { requireSpan } from "#shared/time/span.ts";
import { operation } from "../operation.ts";
import { insertCheckin, selectEntries, sortableColumns } from "./queries.ts";
import { Entry, toEntry } from "./schema.ts";

export const listAuditLog = operation("/user/audit/log/list", {
  summary: "The audit log: changes in the account with user, time and address; at most 1000 entries a call",
  masterOnly: true,
  reads: true,
  input: z
    .object({
      from: dateTime(),
      to: dateTime(),
      /** The ids of sub-users, or of the master itself. */
      subuser_ids: z.array(z.int()).max(10_000).nullable().default(null),
      /** `<entry_category>_<action>`, as in `vehicle_update`. */
      actions: z.array(z.string().max(100)).max(1000).nullable().default(null),
      limit: z.int().min(0).max(1000).default(1000),
      offset: z.int().min(0).default(0),
      sort: sortOptions(sortableColumns("UTC", { from: 0, to: 0 }), 5),
      grouping: z.enum(["default", "user", "action_date", "action"]).nullable().default(null),
    })
    .refine(({ from, to }) => from <= to, { path: ["to"], error: "must not be before from" }),
  output: z.object({ list: z.array(Entry) }),
  errors: [13, 211],
  async run(search, { db, env, principal, clock }) {
    requireSpan(search, env.MAX_SPANS, "audit", principal.time_zone);
    const entries = await selectEntries(db, principal, search, retentionStart(env.AUDIT_DAYS, clock.now()));
    return { list: entries.map(toEntry) };
  },
});

export const checkinAudit = operation("/user/audit/checkin", {
  summary: "Records that the user opened the interface or came back to it",
  accepts: ["session"],
  input: z.object({}),
  output: z.object({}),
  errors: [4],
  async run(_input, { db, principal, actor }) {
    await insertCheckin(db, principal, actor);
    return {};
  },
});

export const operations = [listAuditLog, checkinAudit];
