import { sql } from "drizzle-orm";
import { itemsIn } from "#shared/sync/queries.ts";
import type { ItemRule } from "#shared/sync/run-items.ts";
import type { TasksEnv } from "../env.ts";
import { form } from "../table/form/form.ts";
import { syncItem } from "../table/sync/sync-item.ts";

type StoreAnswers = ItemRule<TasksEnv>["storeAnswersIn"];

export const { selectDone, insertDoneItems, databaseStoringAnswers, isDone, deleteOldItems } = itemsIn(syncItem);

/** For operations with an empty answer. */
export const storeEmptyAnswers: StoreAnswers = (db, items, { principal, actor }) =>
  databaseStoringAnswers(db, items, { ...principal, received: actor.action_date }, sql`'{}'`);

/** For the issue of forms: the transaction has stored one for each item, with consecutive ids. */
export const storeFormIds: StoreAnswers = (db, items, { principal, actor }) =>
  databaseStoringAnswers(
    db,
    items,
    { ...principal, received: actor.action_date },
    sql`json_object('id', (SELECT max(id) FROM ${form}) - ${items.length - 1} + item.key)`,
  );
