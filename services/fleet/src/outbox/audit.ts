import { recordsIn } from "#shared/database/audit-outbox.ts";
import { auditOutbox } from "../table/outbox/audit-outbox.ts";

export const { recordChange, recordEachChange, deliver } = recordsIn(auditOutbox);
