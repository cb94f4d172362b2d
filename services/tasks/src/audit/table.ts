import { auditOutboxTable } from "#shared/audit-outbox.ts";

export const auditOutbox = auditOutboxTable();
