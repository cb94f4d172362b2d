import { WorkerEntrypoint } from "cloudflare:workers";
import { nowMs } from "#shared/clock.ts";
import { openDatabase } from "#shared/database.ts";
import type { StoredEvent } from "#shared/event.ts";
import type { GatewayEnv } from "../env.ts";
import { insertDeliveries } from "./queries.ts";
import { sendPushes } from "./send.ts";

/** Where fleet reports what is new. No public route leads here. */
export class PushDesk extends WorkerEntrypoint<GatewayEnv> {
  /** Once it has answered, whoever is to be notified will be, once however often it is told. */
  async tell(events: StoredEvent[]) {
    const isNews = await insertDeliveries(openDatabase(this.env), events, nowMs(this.env));
    // What fails here is still due.
    if (isNews) this.ctx.waitUntil(sendPushes(this.env).catch(() => undefined));
  }
}
