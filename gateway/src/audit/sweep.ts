import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { retentionStart } from "#shared/time/retention.ts";
import type { GatewayEnv } from "../env.ts";
import { deleteEntries } from "./queries.ts";

/** Old entries go, which nobody sees any more. */
export async function sweepEntries(env: GatewayEnv) {
  const since = retentionStart(env.AUDIT_DAYS, nowMs(env));
  if (since !== null) await deleteEntries(openDatabase(env), since);
}
