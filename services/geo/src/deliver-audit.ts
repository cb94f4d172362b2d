import { deliverLater } from "#shared/background/deliver-later.ts";
import { openDatabase } from "#shared/database/open.ts";
import { deliver } from "./audit-outbox.ts";
import type { GeoEnv } from "./env.ts";

/** Delivers records of changes to the audit log. */
export function deliverAudit(env: GeoEnv) {
  return deliver(openDatabase(env), env.AUDIT);
}

export const deliverAuditLater = deliverLater(deliverAudit);
