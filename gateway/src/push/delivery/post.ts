import { encryptNotification, vapidHeaders } from "@block65/webcrypto-web-push";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../../env.ts";
import { vapidPublicKeyOf } from "../vapid.ts";

export type PushMessage = {
  /** Of the delivery, for the log. */
  id: number;
  endpoint: string;
  parameters: { p256dh: string; auth: string } | null;
  payload: string;
  /** For who shows it without knowing what the payload is. */
  title: string;
  text: string;
  ttlSeconds: number;
  isUrgent: boolean;
};

/** `removed`: the subscription is no more; `refused`: this message for good, so that another try would change nothing. */
export type Outcome = "sent" | "refused" | "removed" | "failed";

/** Hands a message over to the browser's push service. Neither endpoint nor text gets into the log. */
export async function postPush(
  env: GatewayEnv,
  message: PushMessage,
): Promise<{ outcome: Outcome; retryAfterMs: number }> {
  const { id, endpoint, parameters } = message;
  const keys = parameters ?? { p256dh: "", auth: "" };
  const body = await encryptNotification(
    toSubscription(endpoint, keys),
    new TextEncoder().encode(message.payload),
  ).catch(() => undefined);
  // Keys with which nothing can be encrypted are no browser's.
  if (!body) return { outcome: "removed", retryAfterMs: 0 };
  const request = {
    method: "POST",
    headers: {
      ...(await createVapidHeaders(env, endpoint)),
      "Content-Type": "application/octet-stream",
      "Content-Encoding": "aes128gcm",
      TTL: String(message.ttlSeconds),
      Urgency: message.isUrgent ? "high" : "normal",
    },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const;
  const answer = await fetch(endpoint, request).catch(() => undefined);
  await answer?.body?.cancel();
  const outcome = answer ? toOutcome(answer.status) : "failed";
  if (outcome !== "sent") console.error(JSON.stringify({ push: id, outcome, status: answer?.status }));
  return { outcome, retryAfterMs: parseRetryAfterMs(answer?.headers.get("Retry-After"), systemNow()) };
}

/** Seconds, or a date; without either no time. At the most a day, after which there is nothing left to try again. */
export function parseRetryAfterMs(value: string | null | undefined, now: number): number {
  const ms = Number(value ?? "0") * 1000;
  const wait = Number.isNaN(ms) ? Date.parse(value ?? "") - now : ms;
  return Math.min(Math.max(wait || 0, 0), MAX_RETRY_AFTER_MS);
}

/** By what web push answers, and others do too. */
export function toOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "removed";
  return status >= 400 && status < 500 && !TEMPORARY_STATUSES.includes(status) ? "refused" : "failed";
}

/** The library knows https alone, as push services do; http is for this machine, in local runs. */
async function createVapidHeaders(env: GatewayEnv, endpoint: string) {
  const pair = { subject: env.VAPID_SUBJECT, publicKey: vapidPublicKeyOf(env), privateKey: env.VAPID_PRIVATE_KEY };
  const secure = endpoint.replace(/^http:/, "https:");
  const { headers } = await vapidHeaders(toSubscription(secure, { p256dh: "", auth: "" }), pair);
  return headers;
}

function toSubscription(endpoint: string, keys: { p256dh: string; auth: string }) {
  return { endpoint, keys, expirationTime: null };
}

/** Of the 4xx those that say nothing against the message: wrong moment, too many of them. */
const TEMPORARY_STATUSES = [408, 425, 429];
const TIMEOUT_MS = 10_000;
const MAX_RETRY_AFTER_MS = DAY_MS;
