import { expect, test } from "vitest";
import type { LiveRequest } from "./client-message.ts";
import { addRequest, removeRequest, type Subscription, toTrackerFilter } from "./subscription.ts";

const batchRequest = (trackers: LiveRequest["trackers"], options: Partial<LiveRequest> = {}): LiveRequest => {
  return { type: "state_batch", trackers, format: "full", rateMs: 5000, ...options };
};
const trackersOf = (subscriptions: Subscription[]) =>
  subscriptions.map((one) => [1, 2, 3].filter((id) => toTrackerFilter(one)(id)));
const subscriptionsOf = (...requests: LiveRequest[]) => requests.reduce(addRequest, [] as Subscription[]);

test("addRequest merges subscriptions of the same options, and keeps those with other options apart", () => {
  expect(trackersOf(subscriptionsOf(batchRequest([1]), batchRequest([2])))).toEqual([[1, 2]]);
  expect(trackersOf(subscriptionsOf(batchRequest([1]), batchRequest([2], { format: "compact" })))).toEqual([[1], [2]]);
  expect(trackersOf(subscriptionsOf(batchRequest([1]), batchRequest("all")))).toEqual([[1, 2, 3]]);
});

test('removeRequest takes trackers out of every subscription that has them, also out of "all", and addRequest brings them back', () => {
  expect(
    trackersOf(
      removeRequest(subscriptionsOf(batchRequest([1, 2]), batchRequest([2], { rateMs: 0 })), batchRequest([2])),
    ),
  ).toEqual([[1]]);
  const without = removeRequest(subscriptionsOf(batchRequest("all")), batchRequest([2]));
  expect(trackersOf(without)).toEqual([[1, 3]]);
  expect(trackersOf(addRequest(without, batchRequest([2])))).toEqual([[1, 2, 3]]);
  expect(removeRequest(without, batchRequest("all"))).toEqual([]);
  expect(trackersOf(removeRequest(without, batchRequest([1], { type: "state" })))).toEqual([[1, 3]]);
});
