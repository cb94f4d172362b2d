import type { AuditEntry } from "#shared/caller/audit.ts";
import type { LoggedDelivery } from "./attempt-log.ts";
import type { DeliverySearch, ReplaySelection } from "./delivery.ts";

/** The Durable Object of a webhook, named by its id: stores and sends its deliveries. */
export interface Sender {
  /** Reads and sends what there is, without letting the caller wait for it. */
  wake(): Promise<void>;
  /** Sends a test event at once and answers its delivery. */
  test(webhookId: number): Promise<LoggedDelivery>;
  search(search: DeliverySearch): Promise<LoggedDelivery[]>;
  /** Sends deliveries again, once the entry is in the audit log; null if one of their sequences is unknown. */
  replay(selection: ReplaySelection, entry: AuditEntry): Promise<number | null>;
  /** Gives a webhook that was enabled again its days of failures anew. */
  restart(): Promise<void>;
  /** Forgets everything: the webhook is deleted. */
  erase(): Promise<void>;
}
