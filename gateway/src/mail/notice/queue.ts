import type { Notice } from "#shared/contract/event/service-notice.ts";
import type { MailQueue as MailQueueContract } from "#shared/contract/gateway.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ServiceEntrypoint } from "#shared/operation/service-entrypoint.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../../env.ts";
import { enqueueNotices } from "./enqueue.ts";

/** Accepts mails of services to be sent. No public route leads here. */
export class MailQueue extends ServiceEntrypoint<GatewayEnv> implements MailQueueContract {
  async enqueue(notices: Notice[]): Promise<void> {
    await enqueueNotices(openDatabase(this.env), this.env, notices, nowMs(this.env));
  }
}
