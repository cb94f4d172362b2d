import * as z from "zod";
import { newEntry } from "#shared/caller/audit.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { operation } from "../../operation.ts";
import type { LoggedDelivery } from "./attempt-log.ts";
import { recordTest, requireWebhook } from "./queries.ts";
import { senderOf } from "./sender-stub.ts";

export const WebhookAttempt = z.object({
  time: dateTime(),
  /** The HTTP status; null if no answer came. */
  status: z.int().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int().nullable(),
  /** The first kilobyte of the answer. */
  answer: z.string(),
});

export const WebhookDelivery = z.object({
  /** Names the delivery in calls. */
  id: z.string(),
  /** Counts the deliveries of the webhook from 1. */
  sequence: z.int(),
  /** The header `webhook-id` of every attempt. */
  event_id: z.string(),
  type: z.string(),
  state: z.enum(["waiting", "delivered", "failed", "skipped"]),
  /** Counts the attempts since the event or the last replay. */
  attempts: z.int(),
  created: dateTime(),
  /** The next attempt of a waiting delivery; null for others. */
  next_attempt: dateTime().nullable(),
  last_attempt: dateTime().nullable(),
  /** The HTTP status of the last attempt; below also its failure, duration, and the first kilobyte of the answer. */
  status: z.int().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int().nullable(),
  answer: z.string(),
  /** The last twenty attempts, also those before a replay, the oldest first. */
  attempt_log: z.array(WebhookAttempt),
  /** The body as it is sent. */
  body: z.string(),
});

export const testWebhook = operation("/webhook/test", {
  summary: "Posts a test event to a webhook at once, and answers what came of it",
  right: "webhook_update",
  input: z.object({ webhook_id: z.int() }),
  output: z.object({ value: WebhookDelivery }),
  errors: [201],
  answerAgain: "run",
  writesElsewhere: true,
  async run({ webhook_id }, { db, env, principal, actor }) {
    await recordTest(db, principal, webhook_id, actor);
    return { value: toWebhookDelivery(await senderOf(env, webhook_id).test(webhook_id), webhook_id) };
  },
});

export const listDeliveries = operation("/webhook/delivery/list", {
  summary: "Deliveries of a webhook, newest first: of the last 30 days, at most 20,000",
  right: "webhook_update",
  reads: true,
  input: z.object({
    webhook_id: z.int(),
    state: z.enum(["waiting", "delivered", "failed", "skipped"]).nullable().default(null),
    from: dateTime().nullable().default(null),
    to: dateTime().nullable().default(null),
    /** The sequence of the last delivery of the previous page. */
    before: z.int().nullable().default(null),
    limit: z.int().min(1).max(100).default(50),
  }),
  output: z.object({ list: z.array(WebhookDelivery) }),
  errors: [201],
  async run({ webhook_id, ...search }, { db, env, principal }) {
    await requireWebhook(db, principal, webhook_id);
    const list = await senderOf(env, webhook_id).search(search);
    return { list: list.map((delivery) => toWebhookDelivery(delivery, webhook_id)) };
  },
});

export const replayDeliveries = operation("/webhook/delivery/replay", {
  summary:
    "Sends deliveries again: those with these ids, or those of a range, all or only failed ones. Receivers get the same webhook-id",
  right: "webhook_update",
  input: z.object({
    webhook_id: z.int(),
    delivery_ids: z.array(z.string().max(40)).min(1).max(1_000).nullable().default(null),
    from: dateTime().nullable().default(null),
    to: dateTime().nullable().default(null),
    failed_only: z.boolean().default(false),
  }),
  output: z.object({ count: z.int() }),
  errors: [7, 201],
  answerAgain: "run",
  writesElsewhere: true,
  async run({ webhook_id, delivery_ids, from, to, failed_only }, { db, env, principal, actor }) {
    if (!delivery_ids && from === null && !failed_only)
      throw invalid("delivery_ids", "is needed without from or failed_only");
    await requireWebhook(db, principal, webhook_id);
    const entry = newEntry(actor, { is: ["webhook", "replay"], entry_id: webhook_id });
    const sequences = delivery_ids?.map((id) => sequenceOf(id, webhook_id)) ?? null;
    const count = await senderOf(env, webhook_id).replay({ sequences, from, to, failed: failed_only }, entry);
    if (count === null) throw new ApiError(201);
    return { count };
  },
});

export const operations = [testWebhook, listDeliveries, replayDeliveries];

/** The sequence in a delivery's id; 201 for a delivery of another webhook. */
function sequenceOf(id: string, webhook_id: number): number {
  const { webhook, sequence } = /^(?<webhook>\d+)-(?<sequence>\d+)$/.exec(id)?.groups ?? {};
  if (Number(webhook) !== webhook_id) throw new ApiError(201);
  return Number(sequence);
}

function toWebhookDelivery(delivery: LoggedDelivery, webhook_id: number): z.output<typeof WebhookDelivery> {
  const { sequence, event_id, type, state, attempts, created, due, attempted, status, error, duration_ms } = delivery;
  return {
    ...{ id: `${webhook_id}-${sequence}`, sequence, event_id, type, state, attempts, created },
    ...{ next_attempt: state === "waiting" ? due : null, last_attempt: attempted },
    ...{ status, error, duration_ms, answer: delivery.answer, body: delivery.body },
    attempt_log: delivery.log,
  };
}
