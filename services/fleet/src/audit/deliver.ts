import { openDatabase } from "#shared/database.ts";
import type { FleetEnv } from "../env.ts";
import { deliver } from "./record.ts";

/** Tells the log of what changed. */
export function deliverAudit(env: FleetEnv) {
  return deliver(openDatabase(env), env.AUDIT);
}
