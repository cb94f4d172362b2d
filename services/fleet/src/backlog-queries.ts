import { sql } from "drizzle-orm";
import type { Queues } from "#shared/database/backlog.ts";
import { accountRemoval } from "./table/account-removal.ts";
import { activity } from "./table/activity.ts";
import { auditOutbox } from "./table/audit-outbox.ts";
import { deviceOutbox } from "./table/device-outbox.ts";
import { event } from "./table/event.ts";
import { gaugeChange } from "./table/gauge-change.ts";
import { importProcess } from "./table/import-process.ts";
import { mailOutbox } from "./table/mail-outbox.ts";
import { tag } from "./table/tag.ts";
import { trackerRemoval } from "./table/tracker-removal.ts";
import { undeliveredClone } from "./table/untold-clone.ts";

/** What waits in the database of fleet. */
export const QUEUES: Queues = {
  audit: { table: auditOutbox },
  devices: { table: deviceOutbox },
  events: { table: event, waits: sql`${event.undelivered_since} IS NOT NULL` },
  activities: { table: activity },
  sensors: { table: gaugeChange },
  mails: { table: mailOutbox },
  imports: { table: importProcess, waits: sql`${importProcess.status} IN ('created', 'in_progress')` },
  clones: { table: undeliveredClone },
  removed_trackers: { table: trackerRemoval },
  removed_accounts: { table: accountRemoval },
  removed_tags: { table: tag, waits: sql`${tag.removing}` },
};
