import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";
import { SECRET_PLACEHOLDER, selectMail } from "../mail/queries.ts";
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
  summary:
    "The dealer's outgoing mail, newest first, at most 1000; without links and codes if mail is sent to recipients",
  accepts: ["operator"],
  permission: ["users", "read"],
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Mail) }),
  errors: [13],
  async run(_input, { db, env, principal }) {
    const rows = await selectMail(db, principal, MAX_LISTED_MAILS);
    const list = rows.map(({ dealer_id, account_id, event_id, due, tries, secret, ...mail }) =>
      // If mail is sent to its recipients, operators need no links or codes that give access to accounts.
      secret && env.MAIL_URL
        ? { ...mail, text: hideSecret(mail.text, secret), html: hideSecret(mail.html, secret) }
        : mail,
    );
    return { list };
  },
});

function hideSecret(content: string, secret: string) {
  return content.replaceAll(secret, SECRET_PLACEHOLDER);
}

export const operations = [listMail];

const MAX_LISTED_MAILS = 1000;
