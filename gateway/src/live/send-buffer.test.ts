import { expect, test } from "vitest";
import type { LiveUpdate } from "#shared/contract/live.ts";
import { SendBuffer } from "./send-buffer.ts";
import type { Subscription } from "./subscription.ts";

const ALL: Subscription = { type: "state_batch", format: "compact", rateMs: 0, trackers: "all", except: [] };
const UPDATE: LiveUpdate = {
  tracker_ids: [1, 2, 3],
  states: { compact: { text: '{"id":1},{"id":2},{"id":3}', ends: [8, 17, 26] } },
  lifecycles: [],
};
const VISIBLE = new Set([1, 2, 3]);

function createBuffer(sent: string[][], subscription = ALL, isRead = () => true) {
  return new SendBuffer(subscription, (_, states) => {
    if (isRead()) sent.push(states);
    return isRead();
  });
}

test("a send buffer sends a batch in one text when the subscription has all of its trackers", () => {
  const sent: string[][] = [];
  const buffer = createBuffer(sent);
  buffer.addUpdate(UPDATE, VISIBLE, false);
  buffer.flush();
  expect(sent).toEqual([['{"id":1},{"id":2},{"id":3}']]);
});

test.each([
  ["that are not visible", ALL, new Set([1, 3])],
  ["that were left out", { ...ALL, except: [2] }, VISIBLE],
  ["that were not named", { ...ALL, trackers: [1, 3, 4] }, VISIBLE],
] as [string, Subscription, Set<number>][])(
  "a send buffer leaves trackers %s out of a batch",
  (_, subscription, visible) => {
    const sent: string[][] = [];
    const buffer = createBuffer(sent, subscription);
    buffer.addUpdate(UPDATE, visible, false);
    buffer.flush();
    expect(sent).toEqual([['{"id":1}', '{"id":3}']]);
  },
);

test("a send buffer drops a waiting state when a newer one of the same tracker arrives", () => {
  const sent: string[][] = [];
  let isRead = false;
  const buffer = createBuffer(sent, ALL, () => isRead);
  buffer.put(2, '{"id":2,"old":true}');
  buffer.addUpdate(UPDATE, VISIBLE, false);
  isRead = true;
  buffer.flush();
  expect(sent.flat().toSorted()).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
});

test("a send buffer sends nothing while the socket is held", () => {
  const sent: string[][] = [];
  createBuffer(sent).addUpdate(UPDATE, VISIBLE, true);
  expect(sent).toEqual([]);
});

test("a send buffer without batches sends each state as its own message, and gives readings to query by tracker ids", () => {
  const sent: string[][] = [];
  const single = createBuffer(sent, { ...ALL, type: "state" });
  single.addUpdate(UPDATE, VISIBLE, false);
  single.flush();
  const readings = { sensor_type: null, include_components: true };
  const queried = createBuffer(sent, { ...ALL, type: "readings_batch", readings });
  queried.addUpdate({ ...UPDATE, states: {} }, new Set([3]), false);
  queried.flush();
  expect(sent).toEqual([['{"id":1}', '{"id":2}', '{"id":3}'], ["3"]]);
});
