import { expect, test } from "vitest";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { LastMessages } from "./last-messages.ts";

type Values = Parameters<LastMessages["add"]>[2];

test("LastMessages keeps the last 12 values of each attribute and of the last 12 messages, newest first", () => {
  const { messages } = newMessages();
  for (let time = 1; time <= 200; time++)
    messages.add(time, time + 0.5, time % 10 === 0 ? { often: time, rare: time } : { often: time });
  const { nonnull_fields, all_fields } = messages.current();
  expect(nonnull_fields.often?.map(({ value }) => value)).toEqual(from(200, -1, 12));
  expect(nonnull_fields.rare?.map(({ value }) => value)).toEqual(from(200, -10, 12));
  expect(nonnull_fields.rare?.[11]).toEqual({ value: 90, msg_time: 90, srv_time: 90.5 });
  expect(all_fields.rare?.map(({ value }) => value)).toEqual([200, ...Array(9).fill(null), 190, null]);
  expect(all_fields.rare?.[1]).toEqual({ value: null, msg_time: 199, srv_time: 199.5 });
});

test("LastMessages keeps after a batch of points what each point by itself would leave", () => {
  const points = Array.from({ length: 300 }, (_, index) =>
    // Two points at each time.
    pointAt(index >> 1, { lat: 50 + (index & 1), attributes: index % 9 === 0 ? { fuel: index } : null }),
  );
  const [whole, single] = [newMessages().messages, newMessages().messages];
  for (let start = 0; start < points.length; start += 50) whole.addPoints(points.slice(start, start + 50), 7);
  for (const { time, attributes } of points) single.add(time, 7, attributes);
  expect(whole.current()).toEqual(single.current());
  expect(whole.current().all_fields.fuel).toHaveLength(12);
});

test("LastMessages orders a late message by the device's clock, and keeps a repeated one once", () => {
  const { messages } = newMessages();
  messages.add(3000, 1, { fuel: 30 });
  messages.add(1000, 2, { fuel: 10 });
  messages.add(3000, 9, { fuel: 30, door: true });
  const { nonnull_fields, all_fields } = messages.current();
  expect(nonnull_fields.fuel).toEqual([
    { value: 30, msg_time: 3000, srv_time: 1 },
    { value: 10, msg_time: 1000, srv_time: 2 },
  ]);
  expect(all_fields.door?.map(({ value }) => value)).toEqual([true, null]);
});

test("LastMessages does not change when stored messages are taken again", () => {
  const [{ messages, kv }, sent] = [newMessages(), [] as [number, Values][]];
  for (let time = 1; time <= 90; time++)
    sent.push([time, time % 7 === 0 ? { rare: time } : { often: time, toString: "x" }]);
  for (const [time, values] of sent) messages.add(time, time, values);
  messages.store();
  const again = new LastMessages({ kv } as unknown as DurableObjectStorage); // all of it that is used
  for (const [time, values] of sent) again.add(time, 1000, values);
  expect(again.current().nonnull_fields).toEqual(messages.current().nonnull_fields);
  expect(again.current().all_fields).toEqual(messages.current().all_fields);
});

test("LastMessages bounds the attributes of a device that invents names", () => {
  const { messages, kv } = newMessages();
  for (let time = 1; time <= 5000; time++) messages.add(time, time, { [`name${time}`]: time, steady: time });
  const names = Object.keys(messages.current().nonnull_fields);
  expect(names).toContain("name5000");
  expect(names.length).toBeLessThanOrEqual(112);
  messages.store();
  expect(kv.get<unknown[]>("messages")?.length).toBeLessThanOrEqual(112);
});

/** Last messages with a storage in memory. */
function newMessages() {
  const rows = new Map<string, unknown>();
  const kv = {
    get: <Value>(key: string) => structuredClone(rows.get(key)) as Value | undefined, // as the storage's own
    put: (key: string, value: unknown) => void rows.set(key, structuredClone(value)),
  };
  return { kv, messages: new LastMessages({ kv } as unknown as DurableObjectStorage) }; // all of it that is used
}

function from(first: number, step: number, count: number) {
  return Array.from({ length: count }, (_, index) => first + step * index);
}
