import { auditOutboxTable } from "#shared/database/audit-outbox.ts";

export const auditOutbox = auditOutboxTable();
