import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FilesEnv } from "../env.ts";
import { deleteFiles, selectExpired } from "./queries.ts";
import { folderOf } from "./receive.ts";
import { lifeMs } from "./tickets.ts";

/** Removes what nobody needs any more with all that was written for it; the row goes last. */
export async function sweepFiles(env: FilesEnv) {
  const db = openDatabase(env);
  // What began to come in while its ticket was good may still be coming.
  const before = nowMs(env) - lifeMs(env) / 24;
  const ids = (await selectExpired(db, before, SWEPT)).map(({ id }) => id);
  for (let start = 0; start < ids.length; start += AT_A_TIME) {
    const some = ids.slice(start, start + AT_A_TIME);
    await Promise.all(some.map((id) => empty(env.BUCKET, folderOf(id))));
    await deleteFiles(db, some);
  }
}

async function empty(bucket: R2Bucket, prefix: string) {
  for (let truncated = true; truncated; ) {
    const found = await bucket.list({ prefix });
    if (found.objects.length > 0) await bucket.delete(found.objects.map(({ key }) => key));
    ({ truncated } = found);
  }
}

/** So many connections a Worker may have. */
const AT_A_TIME = 5;
const SWEPT = 200;
