import type { Account, Accounts } from "../../call/account.ts";
import type { Sample } from "../sample.ts";

/** A webhook that posts nothing. */
export const SILENT_WEBHOOK = { url: "http://127.0.0.1:9/events", enabled: false };

export const WEBHOOK_SAMPLES: Record<string, Sample[]> = {
  "/webhook/create": [
    {
      parameters: ({ tracker_id, tag_id, zone_id }) => ({
        webhook: { ...SILENT_WEBHOOK, tracker_ids: [tracker_id], tag_ids: [tag_id], zone_ids: [zone_id] },
      }),
      before: newOwner,
    },
  ],
  "/webhook/read": [{ parameters: ({ webhook_id }) => ({ webhook_id }) }],
  "/webhook/list": [{ parameters: () => ({}) }],
  "/webhook/update": [
    {
      parameters: ({ webhook_id, tracker_id, tag_id, zone_id }) => ({
        webhook: { id: webhook_id, label: "ERP", tracker_ids: [tracker_id], tag_ids: [tag_id], zone_ids: [zone_id] },
      }),
    },
  ],
  "/webhook/delete": [{ parameters: ({ webhook_id }) => ({ webhook_id }), before: newWebhook }],
  "/webhook/test": [{ parameters: ({ webhook_id }) => ({ webhook_id }) }],
  "/webhook/secret/rotate": [{ parameters: ({ webhook_id }) => ({ webhook_id }) }],
  "/webhook/delivery/list": [{ parameters: ({ webhook_id }) => ({ webhook_id }) }],
  "/webhook/delivery/replay": [{ parameters: ({ webhook_id }) => ({ webhook_id, failed_only: true }) }],
};

/** An account may have twenty webhooks, and samples are called more often. */
async function newOwner(_: Account, { newAccount }: Accounts) {
  const { hash } = await newAccount();
  return { hash };
}

async function newWebhook(account: Account, { must }: Accounts) {
  const { id } = await must("/webhook/create", { hash: account.hash, webhook: SILENT_WEBHOOK });
  return { webhook_id: id };
}
