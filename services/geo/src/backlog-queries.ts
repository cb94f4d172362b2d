import type { Queues } from "#shared/database/backlog.ts";
import { auditOutbox } from "./table/audit-outbox.ts";

/** Outboxes in geo's database. Points that wait are in their feeds. */
export const QUEUES: Queues = { audit: { table: auditOutbox } };
