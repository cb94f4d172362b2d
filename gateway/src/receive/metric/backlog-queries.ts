import { sql } from "drizzle-orm";
import type { Queues } from "#shared/database/backlog.ts";
import { mail } from "../../table/mail.ts";
import { pushDelivery } from "../../table/push/push-delivery.ts";
import { userRemoval } from "../../table/user-removal.ts";
import { zoneChange } from "../../table/zone-change.ts";

/** The queues in the gateway's database, for the metrics of waiting rows. */
export const QUEUES: Queues = {
  mails: { table: mail, waits: sql`${mail.due} IS NOT NULL` },
  notifications: { table: pushDelivery, waits: sql`${pushDelivery.is_over} = 0` },
  removed_users: { table: userRemoval },
  zone_changes: { table: zoneChange },
};
