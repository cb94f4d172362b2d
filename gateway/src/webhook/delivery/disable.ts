import { openDatabase } from "#shared/database/open.ts";
import type { GatewayEnv } from "../../env.ts";
import { enqueueNotices } from "../../mail/notice/enqueue.ts";
import type { WebhookRow } from "../../table/webhook.ts";
import { disableWebhook, selectLogin } from "./queries.ts";

/** Disables a webhook, which is an event of the account, and writes a mail to the user who made it. */
export async function disableAndReport(env: GatewayEnv, webhook: WebhookRow, reason: "gone" | "failing", now: number) {
  const db = openDatabase(env);
  if (!(await disableWebhook(db, webhook, reason, now))) return;
  const to = await selectLogin(db, webhook.user_id);
  if (to === undefined) return;
  const { account_id, label, url } = webhook;
  const id = `webhook:${webhook.id}:${now}`;
  await enqueueNotices(
    db,
    env,
    [{ kind: "webhook", id, account_id, to, label: label || new URL(url).host, reason }],
    now,
  );
}
