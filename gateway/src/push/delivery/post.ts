import { encryptNotification } from "@block65/webcrypto-web-push";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../../env.ts";
import { signVapid } from "../vapid.ts";

export type PushMessage = {
  /** The delivery's id, for the log. */
  id: number;
  endpoint: string;
  parameters: { p256dh: string; auth: string } | null;
  payload: string;
  /** Title and text for systems that show them without reading the payload. */
  title: string;
  text: string;
  ttlSeconds: number;
  isUrgent: boolean;
};

/** `removed`: the subscription no longer exists. `refused`: this message, for good. `failed`: to be retried. */
export type Outcome = "sent" | "refused" | "removed" | "failed";

/** Posts a message to the browser's push service. The log contains neither endpoint nor text. */
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
  // Invalid keys: no browser made this subscription.
  if (!body) return { outcome: "removed", retryAfterMs: 0 };
  const request = {
    method: "POST",
    headers: {
      Authorization: await signVapid(env, endpoint),
      "Content-Type": "application/octet-stream",
      "Content-Encoding": "aes128gcm",
      TTL: String(message.ttlSeconds),
      Urgency: message.isUrgent ? "high" : "normal",
    },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const;
  const answer = await (env.TARGET_NETWORK ?? globalThis).fetch(endpoint, request).catch(() => undefined);
  await answer?.body?.cancel();
  const outcome = answer ? toOutcome(answer.status) : "failed";
  if (outcome !== "sent") console.error(JSON.stringify({ push: id, outcome, status: answer?.status }));
  return { outcome, retryAfterMs: parseRetryAfterMs(answer?.headers.get("Retry-After"), systemNow()) };
}

/** Milliseconds of a `Retry-After` header, which has seconds or a date; 0 without it, at most a day. */
export function parseRetryAfterMs(value: string | null | undefined, now: number): number {
  const ms = Number(value ?? "0") * 1000;
  const wait = Number.isNaN(ms) ? Date.parse(value ?? "") - now : ms;
  return Math.min(Math.max(wait || 0, 0), MAX_RETRY_AFTER_MS);
}

/** The outcome by the HTTP status, as RFC 8030 defines it for web push. */
export function toOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "removed";
  return status >= 400 && status < 500 && !TEMPORARY_STATUSES.includes(status) ? "refused" : "failed";
}

function toSubscription(endpoint: string, keys: { p256dh: string; auth: string }) {
  return { endpoint, keys, expirationTime: null };
}

/** Statuses 4xx that do not concern the message itself: timeout, too early, too many requests. */
const TEMPORARY_STATUSES = [408, 425, 429];
const TIMEOUT_MS = 10_000;
const MAX_RETRY_AFTER_MS = DAY_MS;
