import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FleetEnv } from "../../env.ts";
import { claimExpiredFiles, deleteFiles } from "./queries.ts";

/** Removes files that no service task names any more, first in the files service, then in fleet. */
export async function deliverFileRemovals(env: FleetEnv) {
  const db = openDatabase(env);
  const ids = (await claimExpiredFiles(db, nowMs(env), MAX_FILES_PER_SWEEP)).map(({ id }) => id);
  if (ids.length === 0) return;
  await env.FILES.removeFiles(ids);
  await deleteFiles(db, ids);
}

const MAX_FILES_PER_SWEEP = 500;
