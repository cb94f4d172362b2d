import { WorkerEntrypoint } from "cloudflare:workers";
import { nowMs } from "#shared/clock.ts";
import { openDatabase } from "#shared/database.ts";
import type { ServiceNotice } from "#shared/service-notice.ts";
import type { GatewayEnv } from "../env.ts";
import { keepNotices } from "./notice.ts";

/** Mail that services want to be sent. No public route leads here. */
export class MailRoom extends WorkerEntrypoint<GatewayEnv> {
  /** Once it has answered, the mails are kept and will be sent, each once however often it is told. */
  async keep(notices: ServiceNotice[]) {
    await keepNotices(openDatabase(this.env), this.env, notices, nowMs(this.env));
  }
}
