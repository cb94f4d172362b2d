import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { TasksEnv } from "../env.ts";
import { claimExpired, deleteFiles } from "./queries.ts";

/** Has the files service delete expired files that no check-in or form references, then forgets them. */
export async function removeExpiredFiles(env: TasksEnv) {
  const db = openDatabase(env);
  const ids = (await claimExpired(db, nowMs(env), MAX_FILES_PER_SWEEP)).map(({ id }) => id);
  if (ids.length === 0) return;
  await env.FILES.removeFiles(ids);
  await deleteFiles(db, ids);
}

const MAX_FILES_PER_SWEEP = 500;
