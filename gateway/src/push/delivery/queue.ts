import { WorkerEntrypoint } from "cloudflare:workers";
import type { StoredEvent } from "#shared/contract/event.ts";
import type { PushQueue as PushQueueContract } from "#shared/contract/gateway.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../../env.ts";
import { reachableApplicationsOf } from "../reachable-applications.ts";
import { insertDeliveries } from "./queries.ts";
import { sendPushes } from "./send.ts";

/** Where fleet reports what is new. No public route leads here. */
export class PushQueue extends WorkerEntrypoint<GatewayEnv> implements PushQueueContract {
  async enqueue(events: StoredEvent[]): Promise<void> {
    const hasDueTokens = await insertDeliveries(
      openDatabase(this.env),
      events,
      reachableApplicationsOf(this.env),
      nowMs(this.env),
    );
    // What fails here is still due.
    if (hasDueTokens) this.ctx.waitUntil(sendPushes(this.env).catch(() => undefined));
  }
}
