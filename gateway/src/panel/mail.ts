import { z } from "zod";
import { dateTime } from "#shared/operation/fields.ts";
import { selectMail } from "../mail/queries.ts";
import { operation } from "../operation.ts";

export const Mail = z.object({
  id: z.int(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  created: dateTime(),
});

export const listMail = operation("/panel/mail/list", {
  summary: "The dealer's outgoing mail, newest first, at most 1000",
  accepts: ["operator"],
  permission: ["users", "read"],
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Mail) }),
  errors: [13],
  async run(_input, { db, principal }) {
    const rows = await selectMail(db, principal, LISTED);
    return { list: rows.map(({ dealer_id, event_id, due, tries, ...shown }) => shown) };
  },
});

export const operations = [listMail];

const LISTED = 1000;
