import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { accountZone } from "../table/account-zone.ts";
import { eventOutbox } from "../table/event-outbox.ts";
import { removedTag } from "../table/removed-tag.ts";
import { removedTracker } from "../table/removed-tracker.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { task } from "../table/task.ts";
import { taskHistory } from "../table/task-history.ts";
import { taskSchedule } from "../table/task-schedule.ts";

/** All that accounts have here. */
export async function removeAccounts(db: Database, account_ids: number[]) {
  if (account_ids.length === 0) return;
  await write(db, {
    removed: OF_ACCOUNT.map((table) => db.delete(table).where(among(table.account_id, account_ids))),
  });
}

const OF_ACCOUNT = [task, taskHistory, taskSchedule, eventOutbox, tagBinding, removedTag, removedTracker, accountZone];
