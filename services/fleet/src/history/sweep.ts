import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FleetEnv } from "../env.ts";
import { eventRetentionOf } from "./retention.ts";
import { deleteEvents } from "./retention-queries.ts";

/** Deletes events older than `EVENT_DAYS`. Queries leave them out already, whether or not they are deleted. */
export async function sweepEvents(env: FleetEnv) {
  const { since } = eventRetentionOf(env, nowMs(env));
  if (since !== null) await deleteEvents(openDatabase(env), since, MAX_ROWS_PER_STATEMENT);
}

const MAX_ROWS_PER_STATEMENT = 1000;
