import { eq, sql } from "drizzle-orm";
import { itemsIn } from "#shared/sync/queries.ts";
import type { ItemRule } from "#shared/sync/run-items.ts";
import type { FleetEnv } from "./env.ts";
import { syncItem } from "./table/sync-item.ts";
import { statusChange } from "./table/work-status/status-change.ts";

type StoreAnswers = ItemRule<FleetEnv>["storeAnswersIn"];

export const { selectDone, databaseStoringAnswers, deleteOldItems } = itemsIn(syncItem);

/**
 * The database for items whose operation answers nothing: each transaction also stores their empty answers, so that a
 * repeated item is not executed again.
 */
export const databaseStoringEmptyAnswers: StoreAnswers = (db, items, { principal, actor }) =>
  databaseStoringAnswers(db, items, { ...principal, received: actor.action_date }, sql`'{}'`);

/**
 * The database for items that change work statuses: each transaction also stores their answers, made of the changes
 * that it has inserted, which are the last rows.
 */
export const databaseStoringStatusAnswers: StoreAnswers = (db, items, { principal, actor }) => {
  const { id, old_status_id, new_status_id, location, changed, origin } = statusChange;
  const change = sql`json_object('id', ${id}, 'old_status_id', ${old_status_id}, 'new_status_id', ${new_status_id},
    'location', json(${location}), 'changed', ${changed}, 'origin', ${origin})`;
  const last = sql`(SELECT max(newest.id) FROM ${statusChange} AS newest) - ${items.length - 1} + item.key`;
  const answer = sql`(SELECT json_object('last_change', ${change}) FROM ${statusChange} WHERE ${eq(id, last)})`;
  return databaseStoringAnswers(db, items, { ...principal, received: actor.action_date }, answer);
};
