import type { StoredEvent } from "#shared/contract/event/event.ts";
import type { PushQueue as PushQueueContract } from "#shared/contract/gateway.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ServiceEntrypoint } from "#shared/operation/service-entrypoint.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../../env.ts";
import { reachableApplicationsOf } from "../reachable-applications.ts";
import { insertDeliveries } from "./queries.ts";
import { sendPushes } from "./send.ts";

/** Accepts events of the fleet service for notifications. No public route leads here. */
export class PushQueue extends ServiceEntrypoint<GatewayEnv> implements PushQueueContract {
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
