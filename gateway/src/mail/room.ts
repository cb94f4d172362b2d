import { WorkerEntrypoint } from "cloudflare:workers";
import { nowMs } from "#shared/clock.ts";
import type { MailRoom as MailRoomContract } from "#shared/contract/gateway.ts";
import type { ServiceNotice } from "#shared/contract/service-notice.ts";
import { openDatabase } from "#shared/database.ts";
import type { GatewayEnv } from "../env.ts";
import { keepNotices } from "./notice.ts";

/** Mail that services want to be sent. No public route leads here. */
export class MailRoom extends WorkerEntrypoint<GatewayEnv> implements MailRoomContract {
  async keep(notices: ServiceNotice[]): Promise<void> {
    await keepNotices(openDatabase(this.env), this.env, notices, nowMs(this.env));
  }
}
