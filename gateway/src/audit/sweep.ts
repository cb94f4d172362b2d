import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { retentionStart } from "#shared/time/retention.ts";
import type { GatewayEnv } from "../env.ts";
import { deleteEntries } from "./queries.ts";

/** Deletes entries that are older than the installation keeps them; `selectEntries` hides them already. */
export async function sweepEntries(env: GatewayEnv) {
  const since = retentionStart(env.AUDIT_DAYS, nowMs(env));
  if (since !== null) await deleteEntries(openDatabase(env), since);
}
