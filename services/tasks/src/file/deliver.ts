import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { TasksEnv } from "../env.ts";
import { deleteFiles, takeExpired } from "./queries.ts";

/** Tells files what nothing has need of. */
export async function deliverUnneeded(env: TasksEnv) {
  const db = openDatabase(env);
  const ids = (await takeExpired(db, nowMs(env), DELIVERED)).map(({ id }) => id);
  if (ids.length === 0) return;
  await env.FILES.removeFiles(ids);
  await deleteFiles(db, ids);
}

const DELIVERED = 500;
