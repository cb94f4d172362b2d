import { sql } from "drizzle-orm";
import type { HistoryReport } from "#shared/contract/event/event.ts";
import type { Database } from "#shared/database/open.ts";
import { removedUser } from "../table/removed-user.ts";
import { typeOfHistory } from "./history-catalogue.ts";

/** Stores events of the history. Events that are stored already, and those of removed accounts, are ignored. */
export async function insertHistoryEvents(db: Database, events: HistoryReport[], now: number) {
  if (events.length === 0) return;
  const rows = events.map(({ event_id, account_id, entry, private_to }, index) => {
    const { type, is_read, time, ...data } = entry;
    const { tracker_id, event } = data;
    return sql`(${index}, ${account_id}, ${event_id}, ${typeOfHistory(event)}, ${time}, ${tracker_id}, ${private_to},
      ${JSON.stringify(data)})`;
  });
  // The view's trigger gives each event its sequence, and skips known ones.
  await db.run(
    sql`INSERT INTO event_arrival (account_id, event_id, type, time, user_id, tracker_id, private_to, subject, data, stored)
      SELECT column2, column3, column4, column5, NULL, column6, column7, 'tracker:' || column6, column8, ${now}
      FROM (VALUES ${sql.join(rows, sql`, `)})
      WHERE column2 NOT IN (SELECT ${removedUser.id} FROM ${removedUser}) ORDER BY column1`,
  );
}
