import type { webhooks } from "./api.d.ts";

type BodyOf<Described> = Described extends { post: { requestBody: { content: { "application/json": infer Body } } } }
  ? Body
  : never;
/** An event as it is posted to a webhook: `type` tells what `data` is. `sequence` counts the deliveries of the webhook. */
export type WebhookEvent = { [Type in keyof webhooks]: BodyOf<webhooks[Type]> }[keyof webhooks];

/** A message that the installation has not signed, or that is too old. */
export class WebhookError extends Error {
  override name = "WebhookError";
}

type HeaderSource = Headers | Record<string, string | string[] | undefined>;

/** Older messages may be repetitions by an attacker. */
const TOLERANCE_SECONDS = 300;

/**
 * The event of a delivery after its signature was verified (Standard Webhooks 1.0). `body` is the body as received, `secrets`
 * the `whsec_…` secrets that are valid at present. Throws a `WebhookError`.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secrets: string | string[],
  now: () => number = Date.now,
): Promise<WebhookEvent> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const age = Math.abs(now() / 1000 - Number(timestamp || Number.NaN));
  if (!(age <= TOLERANCE_SECONDS)) throw new WebhookError("The time of the message is missing, or too far from now.");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const signatures = headerOf(headers, "webhook-signature")
    .split(" ")
    .filter((one) => one.startsWith("v1,"));
  for (const secret of [secrets].flat()) {
    const key = await importKey(secret);
    for (const signature of signatures) {
      const bytes = bytesOf(signature.slice("v1,".length));
      // `verify` compares in constant time.
      if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return JSON.parse(text);
    }
  }
  throw new WebhookError("No signature of the message fits.");
}

function headerOf(headers: HeaderSource, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return [found].flat()[0] ?? "";
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (!bytes) throw new TypeError("A secret is whsec_ and base64.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** Undefined if the text is not base64. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
