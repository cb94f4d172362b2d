import { openDatabase } from "#shared/database/open.ts";
import type { FilesEnv } from "../env.ts";
import { selectUnreported, settleReported } from "./queries.ts";
import { keptUntil } from "./tickets.ts";

/** Tells the service whose tickets they were of uploads; which of them it has tickets of. */
export function tellOwner(env: FilesEnv, uploads: { id: number; uploaded: number }[]): Promise<number[]> {
  return env.FLEET.filesUploaded(uploads.map(({ id, uploaded }) => ({ id, kept_until: keptUntil(env, uploaded) })));
}

/** Again what it was away for. */
export async function tellUnreported(env: FilesEnv) {
  const db = openDatabase(env);
  const uploads = await selectUnreported(db, MOST);
  if (uploads.length === 0) return;
  const accepted = await tellOwner(env, uploads);
  await settleReported(
    db,
    uploads.map(({ id }) => id),
    accepted,
  );
}

/** In one call. */
const MOST = 500;
