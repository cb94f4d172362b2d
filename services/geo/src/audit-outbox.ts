import { recordsIn } from "#shared/database/audit-outbox.ts";
import { auditOutbox } from "./table/audit-outbox.ts";

export const { recordChange, recordEachChange, deliver } = recordsIn(auditOutbox);
