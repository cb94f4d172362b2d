import { openDatabase } from "#shared/database/open.ts";
import { deliverOutbox } from "#shared/database/outbox.ts";
import type { FleetEnv } from "../env.ts";
import { deleteMail, selectMail } from "./mail-queries.ts";

/** Delivers mails to the gateway, which sends them. */
export function deliverMail(env: FleetEnv) {
  const db = openDatabase(env);
  return deliverOutbox({
    select: (limit) => selectMail(db, limit),
    deliver: (rows) => env.MAIL.enqueue(rows.map(({ notice }) => notice)),
    remove: (rows) =>
      deleteMail(
        db,
        rows.map(({ id }) => id),
      ),
  });
}
