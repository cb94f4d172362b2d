import { mapConcurrently } from "#shared/background/map-concurrently.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { FilesEnv } from "../env.ts";
import { previewKeys } from "../image/make.ts";
import type { FileRow } from "../table/file.ts";
import { folderOf, piecesFolder } from "./folder.ts";
import { lifeMs } from "./life.ts";
import { LOOK_AFTER_MS } from "./queries.ts";
import { deleteFiles, noteLooks, selectExpired, selectUntidy } from "./removal-queries.ts";

/** Removes what nobody needs any more with all that was written for it; the row goes last. */
export async function sweepFiles(env: FilesEnv) {
  const db = openDatabase(env);
  const now = nowMs(env);
  // What began to come in while its ticket was good may still be coming.
  const due = await selectExpired(db, now - lifeMs(env) / 24, SWEPT);
  if (due.length === 0) return;
  await mapConcurrently(due, ({ id }) => removeObjects(env.BUCKET, folderOf(id), () => true));
  await deleteFiles(
    db,
    due.map(({ id }) => id),
    now,
  );
}

/** Removes what attempts have left that were cut off with their Worker; what a ticket goes on with stays. */
export async function tidyFiles(env: FilesEnv) {
  const db = openDatabase(env);
  const now = nowMs(env);
  const rows = await selectUntidy(db, now, SWEPT);
  if (rows.length === 0) return;
  const looks = await mapConcurrently(rows, async (row) => {
    const pieces = piecesFolder(row.id);
    const kept = row.key === null ? [] : [row.key, ...previewKeys(row.key)];
    let isUnderWay = false;
    await removeObjects(env.BUCKET, folderOf(row.id), ({ key, uploaded }) => {
      const goesOn = row.state !== "uploaded" && key.startsWith(pieces);
      isUnderWay ||= goesOn;
      return !kept.includes(key) && !goesOn && uploaded.getTime() < now - LOOK_AFTER_MS;
    });
    return { id: row.id, look_at: row.look_at, next: nextLook(row, now, env), isUnderWay };
  });
  await noteLooks(db, looks);
}

/** Less and less often, until nobody can be uploading it any more. */
function nextLook({ created }: FileRow, now: number, env: FilesEnv) {
  return now > created + lifeMs(env) + HOUR_MS ? null : now + Math.max(LOOK_AFTER_MS, now - created);
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

const SWEPT = 200;
