import { emptyFolder } from "#shared/bucket/empty-folder.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { ReportsEnv } from "../env.ts";
import { deleteReports, selectIdle, selectRemoved } from "./queries.ts";
import { folderOf } from "./sheets.ts";

/** Queues what nobody works on: its message was lost, or whoever had it died. */
export async function queueIdle(env: ReportsEnv) {
  const ids = await selectIdle(openDatabase(env), nowMs(env), QUEUED);
  if (ids.length > 0) await env.JOBS.sendBatch(ids.map((report_id) => ({ body: { report_id } })));
}

/** Removed reports with their sheets; the row goes last. */
export async function sweepReports(env: ReportsEnv) {
  const db = openDatabase(env);
  const rows = await selectRemoved(db, SWEPT);
  for (const row of rows) await emptyFolder(env.BUCKET, folderOf(row));
  if (rows.length > 0)
    await deleteReports(
      db,
      rows.map(({ id }) => id),
    );
}

const QUEUED = 100;
const SWEPT = 50;
