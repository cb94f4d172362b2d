import { expect, test } from "vitest";
import type { LiveUpdate } from "#shared/contract/live.ts";
import { SendBuffer } from "./send-buffer.ts";
import type { Subscription } from "./subscription.ts";

const ALL: Subscription = { type: "state_batch", format: "compact", rateMs: 0, trackers: "all", except: [] };
const NEWS: LiveUpdate = {
  tracker_ids: [1, 2, 3],
  states: { compact: { text: '{"id":1},{"id":2},{"id":3}', ends: [8, 17, 26] } },
  lifecycles: [],
};
const VISIBLE = new Set([1, 2, 3]);

function sendingTo(sent: string[][], subscription = ALL, isRead = () => true) {
  return new SendBuffer(subscription, (_, states) => {
    if (isRead()) sent.push(states);
    return isRead();
  });
}

test("an outlet sends a batch as it was written when the subscription has all of its trackers", () => {
  const sent: string[][] = [];
  const outlet = sendingTo(sent);
  outlet.addUpdate(NEWS, VISIBLE, false);
  outlet.flush();
  expect(sent).toEqual([['{"id":1},{"id":2},{"id":3}']]);
});

test.each([
  ["that are not visible", ALL, new Set([1, 3])],
  ["that were left out", { ...ALL, except: [2] }, VISIBLE],
  ["that were not named", { ...ALL, trackers: [1, 3, 4] }, VISIBLE],
] as [string, Subscription, Set<number>][])(
  "an outlet leaves trackers %s out of a batch",
  (_, subscription, visible) => {
    const sent: string[][] = [];
    const outlet = sendingTo(sent, subscription);
    outlet.addUpdate(NEWS, visible, false);
    outlet.flush();
    expect(sent).toEqual([['{"id":1}', '{"id":3}']]);
  },
);

test("an outlet drops a waiting state when a newer one of the same tracker arrives", () => {
  const sent: string[][] = [];
  let isRead = false;
  const outlet = sendingTo(sent, ALL, () => isRead);
  outlet.put(2, '{"id":2,"old":true}');
  outlet.addUpdate(NEWS, VISIBLE, false);
  isRead = true;
  outlet.flush();
  expect(sent.flat().toSorted()).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
});

test("an outlet sends a socket nothing else while its first message is being made", () => {
  const sent: string[][] = [];
  sendingTo(sent).addUpdate(NEWS, VISIBLE, true);
  expect(sent).toEqual([]);
});

test("an outlet without batches sends each state as its own message, and asks for readings by tracker ids", () => {
  const sent: string[][] = [];
  const single = sendingTo(sent, { ...ALL, type: "state" });
  single.addUpdate(NEWS, VISIBLE, false);
  single.flush();
  const readings = { sensor_type: null, include_components: true };
  const asking = sendingTo(sent, { ...ALL, type: "readings_batch", readings });
  asking.addUpdate({ ...NEWS, states: {} }, new Set([3]), false);
  asking.flush();
  expect(sent).toEqual([['{"id":1}', '{"id":2}', '{"id":3}'], ["3"]]);
});
