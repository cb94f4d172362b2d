import { expect, test } from "vitest";
import type { LiveRequest } from "./client-message.ts";
import { addRequest, removeRequest, type Subscription, toTrackerFilter } from "./subscription.ts";

const batch = (trackers: LiveRequest["trackers"], given: Partial<LiveRequest> = {}): LiveRequest => {
  return { type: "state_batch", trackers, format: "full", rateMs: 5000, ...given };
};
const heardOf = (subscriptions: Subscription[]) =>
  subscriptions.map((one) => [1, 2, 3].filter((id) => toTrackerFilter(one)(id)));
const after = (...requests: LiveRequest[]) => requests.reduce(addRequest, [] as Subscription[]);

test("repeated subscriptions add up, and those with other options stand beside them", () => {
  expect(heardOf(after(batch([1]), batch([2])))).toEqual([[1, 2]]);
  expect(heardOf(after(batch([1]), batch([2], { format: "compact" })))).toEqual([[1], [2]]);
  expect(heardOf(after(batch([1]), batch("all")))).toEqual([[1, 2, 3]]);
});

test('removed takes trackers out of every subscription that has them, also out of "all", and added brings them back', () => {
  expect(heardOf(removeRequest(after(batch([1, 2]), batch([2], { rateMs: 0 })), batch([2])))).toEqual([[1]]);
  const without = removeRequest(after(batch("all")), batch([2]));
  expect(heardOf(without)).toEqual([[1, 3]]);
  expect(heardOf(addRequest(without, batch([2])))).toEqual([[1, 2, 3]]);
  expect(removeRequest(without, batch("all"))).toEqual([]);
  expect(heardOf(removeRequest(without, batch([1], { type: "state" })))).toEqual([[1, 3]]);
});
