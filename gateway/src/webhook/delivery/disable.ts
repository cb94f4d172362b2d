import { openDatabase } from "#shared/database/open.ts";
import type { GatewayEnv } from "../../env.ts";
import { enqueueNotices } from "../../mail/notice/enqueue.ts";
import type { WebhookRow } from "../../table/webhook.ts";
import { disableWebhook, selectLogin } from "./queries.ts";

/**
 * Writes a mail to the user who made a webhook, and disables it, which is an event of the account. `since`: when its deliveries
 * began to fail. Both steps may be repeated: the mail of the same failures is sent once.
 */
export async function disableAndReport(
  env: GatewayEnv,
  { id: webhook_id, account_id, user_id, label, url }: WebhookRow,
  reason: "gone" | "failing",
  { since, now }: { since: number; now: number },
) {
  const db = openDatabase(env);
  const to = await selectLogin(db, user_id);
  const id = `webhook:${webhook_id}:${since}`;
  const notice = { kind: "webhook", id, account_id, label: label || new URL(url).host, reason } as const;
  // The mail comes first: after a crash between the two, the next failure disables the webhook.
  if (to !== undefined) await enqueueNotices(db, env, [{ ...notice, to }], now);
  await disableWebhook(db, { id: webhook_id, account_id, label }, reason, now);
}
