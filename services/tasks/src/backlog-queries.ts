import { sql } from "drizzle-orm";
import type { Queues } from "#shared/database/backlog.ts";
import { auditOutbox } from "./table/outbox/audit-outbox.ts";
import { eventOutbox } from "./table/outbox/event-outbox.ts";
import { recordQueue } from "./table/record/record-queue.ts";
import { removedTracker } from "./table/tracker/removed-tracker.ts";

/** Tables whose waiting rows the health check of the tasks Worker counts. */
export const QUEUES: Queues = {
  audit: { table: auditOutbox },
  events: { table: eventOutbox },
  records: { table: recordQueue },
  removed_trackers: { table: removedTracker, waits: sql`${removedTracker.pending}` },
};
