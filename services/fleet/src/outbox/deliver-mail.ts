import { openDatabase } from "#shared/database/open.ts";
import { emptied } from "#shared/database/outbox.ts";
import type { FleetEnv } from "../env.ts";
import { deleteMail, selectMail } from "./mail-queries.ts";

/** Hands over what is to be mailed. */
export function deliverMail(env: FleetEnv) {
  const db = openDatabase(env);
  return emptied({
    take: (most) => selectMail(db, most),
    tell: (rows) => env.MAIL.keep(rows.map(({ notice }) => notice)),
    drop: (rows) =>
      deleteMail(
        db,
        rows.map(({ id }) => id),
      ),
  });
}
