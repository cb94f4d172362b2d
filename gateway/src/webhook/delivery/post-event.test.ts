import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newWebhookReceiver } from "#test/tool/receiver/webhook-receiver.ts";
import { postEvent } from "./post-event.ts";

// The test moves the time limit of an attempt.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const BODY = JSON.stringify({ type: "vehicle.created", data: {} });

test("postEvent gives up 15 seconds after it began on a receiver that accepts and never answers", async () => {
  let limit: AbortSignal | null | undefined;
  const isOver: unknown[] = [];
  const receiver = await newWebhookReceiver(() => {
    for (const ms of [14_999, 1]) {
      vi.advanceTimersByTime(ms);
      isOver.push(limit?.aborted);
    }
  });
  const network = networkOf((_, init) => {
    limit = init?.signal;
  });
  const result = await postEvent({ TARGET_NETWORK: network }, receiver.url, {}, BODY);
  expect(isOver).toEqual([false, true]);
  expect(result).toMatchObject({ status: null, error: "no answer within 15 seconds", answer: "", retryAfterMs: 0 });
  expect(receiver.received).toHaveLength(1);
  await receiver.leave();
});

test("postEvent takes the status of a receiver whose answer does not end within 15 seconds", async () => {
  const receiver = await newWebhookReceiver((response) => response.writeHead(200).write("begun"));
  const network = networkOf(undefined, () => void vi.advanceTimersByTime(15_000));
  expect(await postEvent({ TARGET_NETWORK: network }, receiver.url, {}, BODY)).toMatchObject({
    status: 200,
    error: null,
  });
  await receiver.leave();
});

/** The network of the test, which sees requests before they are sent, and hears when an answer has begun. */
function networkOf(before?: (...request: Parameters<typeof fetch>) => void, after?: () => void) {
  return {
    connect: () => expect.unreachable(),
    async fetch(...request: Parameters<typeof fetch>) {
      before?.(...request);
      const response = await fetch(...request);
      after?.();
      return response;
    },
  };
}
