import { type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { SyncItem } from "#shared/contract/sync.ts";
import type { Database } from "#shared/database/open.ts";
import { quotaLeft } from "#shared/database/quota.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { selectUnusedForms } from "../checkin/form/queries.ts";
import { isUnusedPhoto } from "../checkin/insert-queries.ts";
import { checkin } from "../table/checkin.ts";
import { file } from "../table/file.ts";
import { removedTracker } from "../table/tracker/removed-tracker.ts";
import { insertDoneItems, selectDone } from "./done-queries.ts";

type ReferencedIds = { uuids: string[]; tracker_ids: number[]; file_ids: number[]; form_ids: number[] };

/** The rows of this service that decide on the check-ins, in one trip. */
export async function selectCheckinContext(db: Database, principal: Principal, ids: ReferencedIds) {
  const found = await read(db, {
    done: selectDone(db, principal, ids.uuids),
    removed: db
      .select({ tracker_id: removedTracker.tracker_id })
      .from(removedTracker)
      .where(among(removedTracker.tracker_id, ids.tracker_ids)),
    photos: db.select({ id: file.id }).from(file).where(isUnusedPhoto(principal, ids.file_ids)),
    quota: db.select({ left: sql<number>`${quotaLeft(principal, "checkins", checkin)}` }).from(sql`(SELECT 1)`),
    ...selectUnusedForms(db, principal, ids.form_ids),
  });
  return {
    done: new Map(found.done.map((row) => [row.uuid, row])),
    removed: new Set(found.removed.map(({ tracker_id }) => tracker_id)),
    photos: new Set(found.photos.map(({ id }) => id)),
    quotaLeft: onlyRow(found.quota).left,
    forms: new Map(found.forms.map((row) => [row.id, row])),
    files: Map.groupBy(found.files, ({ form_id }) => form_id),
  };
}

/** A step of the transaction that stores the check-ins of the items; `first` is the id of the first check-in. */
export function insertDoneCheckins(db: Database, principal: Principal, items: SyncItem[], received: number) {
  return (first: SQL) =>
    insertDoneItems(db, items, { ...principal, received }, sql`json_object('id', ${first} + item.key)`);
}
