import type { HistoryReport, StoredEvent } from "#shared/contract/event/event.ts";
import type { PushQueue as PushQueueContract } from "#shared/contract/gateway.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ServiceEntrypoint } from "#shared/operation/service-entrypoint.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../../env.ts";
import { announceEvents } from "../../event/announce.ts";
import { insertHistoryEvents } from "../../event/history-queries.ts";
import { reachableApplicationsOf } from "../reachable-applications.ts";
import { insertDeliveries } from "./queries.ts";
import { sendPushes } from "./send.ts";

/** Accepts events of the fleet service for notifications. No public route leads here. */
export class PushQueue extends ServiceEntrypoint<GatewayEnv> implements PushQueueContract {
  readonly worker = "gateway";

  async report(events: HistoryReport[]): Promise<void> {
    const db = openDatabase(this.env);
    await insertHistoryEvents(db, events, nowMs(this.env));
    const accounts = events.map(({ account_id }) => account_id);
    this.ctx.waitUntil(announceEvents(this.env, accounts));
    await this.enqueue(events.filter(({ is_notified }) => is_notified));
  }

  async enqueue(events: StoredEvent[]): Promise<void> {
    const hasDueTokens = await insertDeliveries(
      openDatabase(this.env),
      events,
      reachableApplicationsOf(this.env),
      nowMs(this.env),
    );
    // A failed delivery stays due, and the next sweep retries it.
    if (hasDueTokens) this.ctx.waitUntil(sendPushes(this.env).catch(() => undefined));
  }
}
