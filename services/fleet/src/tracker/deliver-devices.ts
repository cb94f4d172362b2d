import { openDatabase } from "#shared/database/open.ts";
import type { FleetEnv } from "../env.ts";
import { deletePending, selectPending } from "./device-outbox-queries.ts";
import { toDevice } from "./queries.ts";
import { toRemovedDevice } from "./removed-queries.ts";

/**
 * Tells geo again of what changed since the last sweep: the call that made a change told it already, unless it died
 * in between. Told is the state as it is now, and its revision keeps an older one from overwriting it.
 */
export async function deliverOutbox(env: FleetEnv) {
  const db = openDatabase(env);
  const { present, removed } = await selectPending(db);
  const ids = [...present, ...removed].map(({ outbox_id }) => outbox_id);
  if (ids.length === 0) return;
  await env.GEO.putDevices([...present.map(toDevice), ...removed.map((row) => toRemovedDevice(row.removed))]);
  await deletePending(db, ids);
}
