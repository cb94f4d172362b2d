import { WorkerEntrypoint } from "cloudflare:workers";
import type { StoredEvent } from "#shared/contract/event.ts";
import type { PushQueue as PushDeskContract } from "#shared/contract/gateway.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../../env.ts";
import { reachable } from "../reachable.ts";
import { insertDeliveries } from "./queries.ts";
import { sendPushes } from "./send.ts";

/** Where fleet reports what is new. No public route leads here. */
export class PushDesk extends WorkerEntrypoint<GatewayEnv> implements PushDeskContract {
  async enqueue(events: StoredEvent[]): Promise<void> {
    const isNews = await insertDeliveries(openDatabase(this.env), events, reachable(this.env), nowMs(this.env));
    // What fails here is still due.
    if (isNews) this.ctx.waitUntil(sendPushes(this.env).catch(() => undefined));
  }
}
