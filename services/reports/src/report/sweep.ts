import { emptyFolder } from "#shared/bucket/empty-folder.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { ReportsEnv } from "../env.ts";
import { deleteReports, selectRemoved, selectUnleased } from "./queries.ts";
import { folderOf } from "./sheets.ts";

/** Queues reports without a lease: their message was lost, or their Worker was stopped. */
export async function queueUnleased(env: ReportsEnv) {
  const ids = await selectUnleased(openDatabase(env), nowMs(env), MAX_QUEUED_PER_SWEEP);
  if (ids.length > 0) await env.JOBS.sendBatch(ids.map((report_id) => ({ body: { report_id } })));
}

/** Deletes removed reports with their sheets; the row is deleted last. */
export async function sweepReports(env: ReportsEnv) {
  const db = openDatabase(env);
  const rows = await selectRemoved(db, MAX_REMOVED_PER_SWEEP);
  for (const row of rows) await emptyFolder(env.BUCKET, folderOf(row));
  if (rows.length > 0)
    await deleteReports(
      db,
      rows.map(({ id }) => id),
    );
}

const MAX_QUEUED_PER_SWEEP = 100;
const MAX_REMOVED_PER_SWEEP = 50;
