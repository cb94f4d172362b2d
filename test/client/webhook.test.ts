import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { verifyWebhook, WebhookError } from "../../clients/typescript/src/webhook.ts";

const SECRET = `whsec_${Buffer.from("a secret of thirty-two characters").toString("base64")}`;
const OTHER = `whsec_${Buffer.from("another one of the same length...").toString("base64")}`;
const BODY = JSON.stringify({
  type: "vehicle.created",
  timestamp: "2026-05-02T08:15:00.000Z",
  sequence: 1,
  data: { id: 7 },
});

/** Headers of a message as a public library signs it. */
function headersOf(secret: string, at = systemNow()) {
  const seconds = Math.floor(at / 1000);
  const signature = new Webhook(secret).sign("msg_1", new Date(seconds * 1000), BODY);
  return { "webhook-id": "msg_1", "webhook-timestamp": String(seconds), "webhook-signature": signature };
}

test("verifyWebhook answers the event of a message that one of the secrets has signed, from headers of any kind", async () => {
  const headers = headersOf(SECRET);
  for (const given of [headers, new Headers(headers), { ...headers, "Webhook-Id": "msg_1" }]) {
    expect(await verifyWebhook(BODY, given, [OTHER, SECRET])).toMatchObject({
      type: "vehicle.created",
      data: { id: 7 },
    });
  }
  expect(await verifyWebhook(new TextEncoder().encode(BODY), headers, SECRET)).toMatchObject({ sequence: 1 });
  const both = { ...headers, "webhook-signature": `v1a,abc v1,!! ${headers["webhook-signature"]}` };
  expect(await verifyWebhook(BODY, both, SECRET)).toMatchObject({ sequence: 1 });
});

test.each<[string, string, Record<string, string>, string]>([
  ["signed with another secret", BODY, headersOf(OTHER), SECRET],
  ["changed on its way", `${BODY} `, headersOf(SECRET), SECRET],
  ["with another id", BODY, { ...headersOf(SECRET), "webhook-id": "msg_2" }, SECRET],
  ["six minutes old", BODY, headersOf(SECRET, systemNow() - 360_000), SECRET],
  ["six minutes ahead", BODY, headersOf(SECRET, systemNow() + 360_000), SECRET],
  ["without a time", BODY, { ...headersOf(SECRET), "webhook-timestamp": "" }, SECRET],
  ["without a signature", BODY, { ...headersOf(SECRET), "webhook-signature": "" }, SECRET],
])("verifyWebhook refuses a message %s", async (_, body, headers, secret) => {
  await expect(verifyWebhook(body, headers, secret)).rejects.toBeInstanceOf(WebhookError);
});
