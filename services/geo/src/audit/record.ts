import { recordsIn } from "#shared/audit-outbox.ts";
import { openDatabase } from "#shared/database.ts";
import { soon } from "#shared/soon.ts";
import type { GeoEnv } from "../env.ts";
import { auditOutbox } from "./table.ts";

export const { recording, recordingEach, deliver } = recordsIn(auditOutbox);

/** The audit log hears of changes. */
export function deliverAudit(env: GeoEnv) {
  return deliver(openDatabase(env), env.AUDIT);
}

export const tellSoon = soon(deliverAudit);
