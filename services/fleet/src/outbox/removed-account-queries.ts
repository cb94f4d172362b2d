import { asc, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { accountRemoval } from "../table/outbox/account-removal.ts";
import { auditOutbox } from "../table/outbox/audit-outbox.ts";
import { deviceOutbox } from "../table/outbox/device-outbox.ts";
import { activationCode } from "../table/registration/activation-code.ts";
import { removedTracker } from "../table/tracker/removed-tracker.ts";

/** Removed accounts that other services have not erased yet. */
export async function selectAccountRemovals(db: Database, limit: number) {
  const rows = await db.select().from(accountRemoval).limit(limit);
  return rows.map(({ account_id }) => account_id);
}

/** The archived trackers of these accounts, and the archived clones of them in any account. */
export function selectArchivedTrackers(db: Database, account_ids: number[], limit: number) {
  const own = sql`SELECT own.source_id FROM ${removedTracker} AS own WHERE NOT own.clone AND own.account_id IN
    (SELECT value FROM json_each(${JSON.stringify(account_ids)}))`;
  const { id, account_id, source_id, clone } = removedTracker;
  return (
    db
      .select({ id, account_id, source_id, clone })
      .from(removedTracker)
      .where(sql`${among(account_id, account_ids)} OR ${source_id} IN (${own})`)
      // Originals come last: their clones are found by them.
      .orderBy(sql`NOT ${clone}`, asc(id))
      .limit(limit)
      .all()
  );
}

type ArchivedTrackers = Awaited<ReturnType<typeof selectArchivedTrackers>>;

/** Deletes archived trackers, and the messages about their devices that were not delivered. */
export async function deleteArchivedTrackers(db: Database, trackers: ArchivedTrackers) {
  if (trackers.length === 0) return;
  const ids = trackers.map(({ id }) => id);
  const sources = trackers.filter(({ clone }) => !clone).map(({ source_id }) => source_id);
  await write(db, {
    messages: db.delete(deviceOutbox).where(among(deviceOutbox.source_id, sources)),
    trackers: db.delete(removedTracker).where(among(removedTracker.id, ids)),
  });
}

/** Ends the removal of accounts. Their activation codes stay used, but name no account. */
export async function deleteAccountRemovals(db: Database, ids: number[]) {
  await write(db, {
    codes: db
      .update(activationCode)
      .set({ account_id: null, source_id: null })
      .where(among(activationCode.account_id, ids)),
    records: db.delete(auditOutbox).where(among(sql`entry ->> '$.account_id'`, ids)),
    removals: db.delete(accountRemoval).where(among(accountRemoval.account_id, ids)),
  });
}
