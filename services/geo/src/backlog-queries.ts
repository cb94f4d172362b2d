import type { Queues } from "#shared/database/backlog.ts";
import { auditOutbox } from "./table/audit-outbox.ts";

/** What waits in the database of geo. Points wait in the feeds of their trackers. */
export const QUEUES: Queues = { audit: { table: auditOutbox } };
