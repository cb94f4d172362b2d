import type { Account, Accounts } from "../../call/account.ts";
import type { Sample } from "../sample.ts";

/** Nothing listens there: deliveries fail, and samples do not wait for them. */
const URL = "http://127.0.0.1:9/events";

export const WEBHOOK_SAMPLES: Record<string, Sample[]> = {
  "/webhook/create": [{ parameters: () => ({}), before: newAccountForWebhooks }],
  "/webhook/read": [{ parameters: () => ({}), before: newWebhook }],
  "/webhook/list": [{ parameters: () => ({}) }],
  "/webhook/update": [{ parameters: () => ({}), before: newChange }],
  "/webhook/delete": [{ parameters: () => ({}), before: newWebhook }],
  "/webhook/test": [{ parameters: () => ({}), before: newWebhook }],
  "/webhook/secret/rotate": [{ parameters: () => ({}), before: newWebhook }],
  "/webhook/delivery/list": [{ parameters: () => ({}), before: newWebhook }],
  "/webhook/delivery/replay": [{ parameters: () => ({ failed_only: true }), before: newWebhook }],
};

/** An account may have twenty webhooks, and samples are called more often. */
async function newAccountForWebhooks(_: Account, { newAccount }: Accounts) {
  const { hash } = await newAccount();
  return { hash, webhook: { url: URL, enabled: false } };
}

async function newWebhook(account: Account, accounts: Accounts) {
  const { hash, webhook } = await newAccountForWebhooks(account, accounts);
  const { id } = await accounts.must("/webhook/create", { hash, webhook });
  return { hash, webhook_id: id };
}

async function newChange(account: Account, accounts: Accounts) {
  const { hash, webhook_id } = await newWebhook(account, accounts);
  return { hash, webhook: { id: webhook_id, label: "ERP" } };
}
