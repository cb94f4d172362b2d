import { afterEach, expect, test, vi } from "vitest";
import { newWebhookReceiver } from "#test/tool/receiver/webhook-receiver.ts";
import { postEvent } from "./post-event.ts";

afterEach(() => vi.restoreAllMocks());

/** Replaces the timer of an attempt, which the test ends itself. */
function stopTimers() {
  const timer = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(timer.signal);
  return { timer, timeout };
}

const BODY = JSON.stringify({ type: "vehicle.created", data: {} });

test("postEvent gives up 15 seconds after it began on a receiver that accepts and never answers", async () => {
  const { timer, timeout } = stopTimers();
  const receiver = await newWebhookReceiver(() => timer.abort());
  const result = await postEvent({}, receiver.url, {}, BODY);
  expect(result).toMatchObject({ status: null, error: "no answer within 15 seconds", answer: "", retryAfterMs: 0 });
  expect(timeout.mock.calls).toEqual([[15_000]]);
  expect(receiver.received).toHaveLength(1);
  await receiver.leave();
});

test("postEvent takes the status of a receiver whose answer does not end within 15 seconds", async () => {
  const { timer } = stopTimers();
  const receiver = await newWebhookReceiver((response) => response.writeHead(200).write("begun"));
  const network = {
    connect: () => expect.unreachable(),
    async fetch(...request: Parameters<typeof fetch>) {
      const response = await fetch(...request);
      timer.abort();
      return response;
    },
  };
  expect(await postEvent({ TARGET_NETWORK: network }, receiver.url, {}, BODY)).toMatchObject({
    status: 200,
    error: null,
  });
  await receiver.leave();
});
