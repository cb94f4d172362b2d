import { mapConcurrently } from "#shared/background/map-concurrently.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { FilesEnv } from "../../env.ts";
import { previewKeys } from "../../image/make-previews.ts";
import type { FileRow } from "../../table/file.ts";
import { CLEANUP_DELAY_MS } from "../queries.ts";
import { ticketLifeMs } from "../retention.ts";
import { folderOf, piecesFolderOf } from "../storage/folder.ts";
import { deleteFiles, selectCleanupsDue, selectExpired, updateCleanups } from "./queries.ts";

/** Deletes removed files and expired tickets: first their objects, then the row. */
export async function sweepFiles(env: FilesEnv) {
  const db = openDatabase(env);
  const now = nowMs(env);
  // Uploads that began before their ticket expired may still be running.
  const due = await selectExpired(db, now - ticketLifeMs(env) / 24, MAX_FILES_PER_SWEEP);
  if (due.length === 0) return;
  await mapConcurrently(due, ({ id }) => removeObjects(env.BUCKET, folderOf(id), () => true));
  await deleteFiles(
    db,
    due.map(({ id }) => id),
    now,
  );
}

/** Deletes objects that interrupted uploads left behind. Pieces that a resumable upload can continue from stay. */
export async function cleanUpFiles(env: FilesEnv) {
  const db = openDatabase(env);
  const now = nowMs(env);
  const rows = await selectCleanupsDue(db, now, MAX_FILES_PER_SWEEP);
  if (rows.length === 0) return;
  const cleanups = await mapConcurrently(rows, async (row) => {
    const pieces = piecesFolderOf(row.id);
    const keptKeys = row.key === null ? [] : [row.key, ...previewKeys(row.key)];
    let isUnderWay = false;
    await removeObjects(env.BUCKET, folderOf(row.id), ({ key, uploaded }) => {
      const isResumable = row.state !== "uploaded" && key.startsWith(pieces);
      isUnderWay ||= isResumable;
      return !keptKeys.includes(key) && !isResumable && uploaded.getTime() < now - CLEANUP_DELAY_MS;
    });
    return { id: row.id, cleanup_due: row.cleanup_due, next: nextCleanup(row, now, env), isUnderWay };
  });
  await updateCleanups(db, cleanups);
}

/** The time of the next cleanup: ever later, and null once no upload with the ticket can be running. */
function nextCleanup({ created }: FileRow, now: number, env: FilesEnv) {
  return now > created + ticketLifeMs(env) + HOUR_MS ? null : now + Math.max(CLEANUP_DELAY_MS, now - created);
}

async function removeObjects(bucket: R2Bucket, prefix: string, isUnneeded: (object: R2Object) => boolean) {
  for (let cursor: string | undefined, more = true; more; ) {
    const found = await bucket.list({ prefix, cursor });
    const keys = found.objects.filter(isUnneeded).map(({ key }) => key);
    if (keys.length > 0) await bucket.delete(keys);
    more = found.truncated;
    cursor = found.truncated ? found.cursor : undefined;
  }
}

const MAX_FILES_PER_SWEEP = 200;
