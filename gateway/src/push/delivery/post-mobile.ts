import { isObject, parseJson } from "#shared/body/json.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../../env.ts";
import { type Outcome, type PushMessage, parseRetryAfterMs, toOutcome } from "./post.ts";
import { forgetAccessToken, getAccessToken, serviceAccountOf } from "./service-account.ts";

/** Posts a message for a mobile application to FCM. The log contains neither token nor text. */
export async function postMobile(
  env: GatewayEnv,
  message: PushMessage,
): Promise<{ outcome: Outcome; retryAfterMs: number }> {
  const answer = await postMessage(env, message).catch(() => undefined);
  const refusal = answer && !answer.ok ? errorCodeOf(await answer.text().catch(() => "")) : undefined;
  if (answer?.ok) await answer.body?.cancel();
  if (answer?.status === 401) forgetAccessToken();
  const outcome = answer ? toMobileOutcome(answer.status, refusal) : "failed";
  if (outcome !== "sent") console.error(JSON.stringify({ push: message.id, outcome, status: answer?.status }));
  return { outcome, retryAfterMs: parseRetryAfterMs(answer?.headers.get("Retry-After"), systemNow()) };
}

async function postMessage(env: GatewayEnv, { endpoint, title, text, payload, ttlSeconds, isUrgent }: PushMessage) {
  const account = serviceAccountOf(env);
  if (!account) return undefined;
  const now = Math.floor(systemNow() / 1000);
  const message = {
    token: endpoint,
    notification: { title, body: text },
    // FCM takes only strings as data, so the event is sent as JSON text.
    data: Object.fromEntries(
      Object.entries(JSON.parse(payload)).map(([name, value]) => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    ),
    android: { priority: isUrgent ? "HIGH" : "NORMAL", ttl: `${ttlSeconds}s` },
    apns: { headers: { "apns-priority": isUrgent ? "10" : "5", "apns-expiration": String(now + ttlSeconds) } },
  };
  return fetch(`${env.FCM_URL}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`, {
    method: "POST",
    headers: { Authorization: `Bearer ${await getAccessToken(account)}`, "Content-Type": "application/json" },
    body: JSON.stringify({ message }),
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** 401, 403 and 404 mean that the operator must repair the service account or project; the message waits for that. */
function toMobileOutcome(status: number, refusal: string | undefined): Outcome {
  if (refusal === "UNREGISTERED" || refusal === "SENDER_ID_MISMATCH") return "removed";
  return status === 401 || status === 403 || status === 404 ? "failed" : toOutcome(status);
}

function errorCodeOf(text: string): string | undefined {
  const reply = tryOrUndefined(() => parseJson(text));
  const details = isObject(reply) && isObject(reply.error) ? reply.error.details : undefined;
  const codes = (Array.isArray(details) ? details : []).flatMap((one) => (isObject(one) ? one.errorCode : undefined));
  return codes.find((code) => typeof code === "string");
}

function tryOrUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const TIMEOUT_MS = 10_000;
