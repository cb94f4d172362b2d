import { openDatabase } from "#shared/database/open.ts";
import type { FleetEnv } from "../env.ts";
import { deliver } from "./audit.ts";

/** Delivers audit records to the gateway. */
export function deliverAudit(env: FleetEnv) {
  return deliver(openDatabase(env), env.AUDIT);
}
