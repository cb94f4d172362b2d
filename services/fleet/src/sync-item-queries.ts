import { eq, sql } from "drizzle-orm";
import { itemsIn } from "#shared/sync/queries.ts";
import type { ItemRule } from "#shared/sync/run-items.ts";
import type { FleetEnv } from "./env.ts";
import { syncItem } from "./table/sync-item.ts";
import { statusChange } from "./table/work-status/status-change.ts";

type AnswerRecorder = ItemRule<FleetEnv>["doingOnce"];

export const { selectDone, databaseDoingOnce, deleteOldItems } = itemsIn(syncItem);

/** For an operation that answers nothing. */
export const recordEmptyAnswers: AnswerRecorder = (db, items, { principal, actor }) =>
  databaseDoingOnce(db, items, { ...principal, received: actor.action_date }, sql`'{}'`);

/** For changes of trackers' work statuses: those that the transaction has stored, which are the last ones. */
export const recordStatusAnswers: AnswerRecorder = (db, items, { principal, actor }) => {
  const { id, old_status_id, new_status_id, location, changed, origin } = statusChange;
  const change = sql`json_object('id', ${id}, 'old_status_id', ${old_status_id}, 'new_status_id', ${new_status_id},
    'location', json(${location}), 'changed', ${changed}, 'origin', ${origin})`;
  const last = sql`(SELECT max(newest.id) FROM ${statusChange} AS newest) - ${items.length - 1} + item.key`;
  const answer = sql`(SELECT json_object('last_change', ${change}) FROM ${statusChange} WHERE ${eq(id, last)})`;
  return databaseDoingOnce(db, items, { ...principal, received: actor.action_date }, answer);
};
