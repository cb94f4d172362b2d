import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { ANYONE } from "#shared/operation/serve.ts";
import { requireCheckin } from "../checkin/queries.ts";
import { requireForm } from "../form/queries.ts";
import { operation } from "../operation.ts";
import { renderVerdictPage } from "./page.ts";
import { selectRecord } from "./queries.ts";
import { RecordLink, toRecordLink, Verdict } from "./schema.ts";
import { verifyRecord } from "./verify.ts";

export const readCheckinRecord = operation("/checkin/record/read", {
  summary: "The record of a check-in, which proves that it was not changed; null for a moment until it is made",
  right: "employee_update",
  reads: true,
  input: z.object({ checkin_id: z.int() }),
  output: z.object({ value: RecordLink.nullable() }),
  errors: [204],
  async run({ checkin_id }, { db, principal, clock, request: { base_url } }) {
    const [record] = await Promise.all([
      selectRecord(db, principal, "checkin", checkin_id),
      requireCheckin(db, principal, checkin_id, clock.now()),
    ]);
    return { value: record ? toRecordLink(record, base_url) : null };
  },
});

export const readFormRecord = operation("/form/record/read", {
  summary: "The record of a form's last submission; null without a submission, and for a moment until it is made",
  reads: true,
  input: z.object({ id: z.int() }),
  output: z.object({ value: RecordLink.nullable() }),
  errors: [201],
  async run({ id }, { db, principal, request: { base_url } }) {
    const [record] = await Promise.all([selectRecord(db, principal, "form", id), requireForm(db, principal, id)]);
    return { value: record ? toRecordLink(record, base_url) : null };
  },
});

export const verifyCheckin = operation("/checkin/verify", {
  summary: "Verifies the record of a check-in or a form by its token; needs no hash. Also as a page",
  accepts: ANYONE,
  reads: true,
  reply: ["json", "html"],
  input: z.object({
    /** The token of the record. */
    record: z.string().max(64),
    /** An empty or missing format answers JSON. */
    format: z.enum(["html", ""]).nullable().default(null),
  }),
  output: z.object({ value: Verdict }),
  errors: [201],
  async run({ record, format }, call) {
    if (!/^[0-9a-f]{32}$/.test(record)) throw new ApiError(201);
    const value = await verifyRecord(record, call);
    return format === "html" ? renderVerdictPage(value) : { value };
  },
});

export const operations = [readCheckinRecord, readFormRecord, verifyCheckin];
