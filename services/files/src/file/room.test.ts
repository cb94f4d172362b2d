import { setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { Room } from "./room.ts";

const isIn = async (promise: Promise<unknown>) => (await Promise.race([promise.then(() => true), pause(60)])) === true;

test("no more than the room is ever held; who waits comes in as soon as there is space, in the order of coming", async () => {
  const room = new Room(10, 5_000);
  const [one, other] = [await room.take(6), await room.take(4)];
  const large = room.take(7);
  await pause(5);
  const small = room.take(1);
  other.release();
  expect(await isIn(small)).toBe(false);
  expect(room.held).toBe(6);
  one.release();
  await Promise.all([large, small]);
  expect(room.held).toBe(8);
});

test("who waits too long is told to come again, and holds up nobody", async () => {
  const room = new Room(10, 50);
  const held = await room.take(10);
  await expect(room.take(1)).rejects.toMatchObject({ code: 14 });
  held.release();
  expect(await isIn(room.take(10))).toBe(true);
});

test("what was aborted and never gave its space back is forgotten, what goes on is not", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const room = new Room(10, 5_000);
    await room.take(5);
    const slow = await room.take(5);
    vi.setSystemTime(systemNow() + 50_000);
    slow.use();
    vi.setSystemTime(systemNow() + 20_000);
    await room.take(5);
    expect(room.held).toBe(10);
  } finally {
    vi.useRealTimers();
  }
});
