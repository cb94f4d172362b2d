import { sql } from "drizzle-orm";
import { itemsIn } from "#shared/sync/queries.ts";
import type { ItemRule } from "#shared/sync/run-items.ts";
import type { TasksEnv } from "../env.ts";
import { form } from "../table/form.ts";
import { syncItem } from "../table/sync-item.ts";

type Once = ItemRule<TasksEnv>["once"];

export const { selectDone, noteDone, onceIn, isDone, forgetOld } = itemsIn(syncItem);

/** For an operation that answers nothing. */
export const onceEmpty: Once = (db, items, { principal, actor }) =>
  onceIn(db, items, { ...principal, received: actor.action_date }, sql`'{}'`);

/** For the issue of a form: the one that the transaction has stored. */
export const onceForm: Once = (db, items, { principal, actor }) =>
  onceIn(
    db,
    items,
    { ...principal, received: actor.action_date },
    sql`json_object('id', (SELECT max(id) FROM ${form}))`,
  );
