import { deliverLater } from "#shared/background/deliver-later.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { ReportsEnv } from "../env.ts";
import { deliver } from "./audit.ts";

/** Delivers the entries of the audit outbox to the audit log. */
export function deliverAudit(env: ReportsEnv) {
  return deliver(openDatabase(env), env.AUDIT);
}

/** Delivers shortly after a call, or after a report was made. */
export const deliverAuditLater = deliverLater(deliverAudit);
