import type { GatewayEnv } from "../../env.ts";
import type { Sender } from "./sender.ts";

/** The sender of a webhook. */
export function senderOf(env: Pick<GatewayEnv, "WEBHOOK_SENDERS">, webhookId: number): Sender {
  return env.WEBHOOK_SENDERS.getByName(String(webhookId));
}
