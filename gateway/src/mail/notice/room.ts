import { WorkerEntrypoint } from "cloudflare:workers";
import type { MailQueue as MailRoomContract } from "#shared/contract/gateway.ts";
import type { Notice } from "#shared/contract/service-notice.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../../env.ts";
import { keepNotices } from "./keep.ts";

/** Mail that services want to be sent. No public route leads here. */
export class MailRoom extends WorkerEntrypoint<GatewayEnv> implements MailRoomContract {
  async enqueue(notices: Notice[]): Promise<void> {
    await keepNotices(openDatabase(this.env), this.env, notices, nowMs(this.env));
  }
}
