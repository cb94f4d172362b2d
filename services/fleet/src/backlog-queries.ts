import { sql } from "drizzle-orm";
import type { Queues } from "#shared/database/backlog.ts";
import { event } from "./table/event.ts";
import { importProcess } from "./table/import/import-process.ts";
import { accountRemoval } from "./table/outbox/account-removal.ts";
import { activity } from "./table/outbox/activity.ts";
import { auditOutbox } from "./table/outbox/audit-outbox.ts";
import { deviceOutbox } from "./table/outbox/device-outbox.ts";
import { gaugeChange } from "./table/outbox/gauge-change.ts";
import { mailOutbox } from "./table/outbox/mail-outbox.ts";
import { trackerRemoval } from "./table/outbox/tracker-removal.ts";
import { undeliveredClone } from "./table/outbox/undelivered-clone.ts";
import { tag } from "./table/tag/tag.ts";

/** Rows in fleet's database that wait for delivery or work, by the name under which their number is reported. */
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
