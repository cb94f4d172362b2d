import { openDatabase } from "#shared/database/open.ts";
import type { FleetEnv } from "../env.ts";
import { deliver } from "./audit.ts";

/** Tells the log of what changed. */
export function deliverAudit(env: FleetEnv) {
  return deliver(openDatabase(env), env.AUDIT);
}
